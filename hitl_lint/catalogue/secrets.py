"""Which names say that a value is a credential: a password, a key, a token that opens something.

The last words of a name say what a thing is: `password_policy` is a policy, `token_count` a count. Words in front can take it back (`has_password`, `masked_token`).
"""

from __future__ import annotations

from hitl_lint.catalogue.verbs import words

ALONE = frozenset({"password", "passwords", "passwd", "pwd", "passphrase", "secret", "secrets", "apikey", "apikeys", "credentials", "privkey", "bearer"})
# A key or token opens something only with such a word before it: there are primary keys, sort keys, page tokens, token counts, and tokens of interrupts.
KEYS = frozenset({"api", "access", "secret", "private", "signing", "encryption", "auth", "license", "ssh", "master"})
TOKENS = frozenset({"access", "refresh", "auth", "bearer", "api", "id", "session", "bot", "oauth", "oauth2", "jwt", "security", "secret", "github", "gitlab", "slack", "hf", "huggingface",
                    "discord", "telegram", "notion", "openai", "personal", "service", "login", "sts", "sas", "vault"})
# With one of these words anywhere the name speaks about a credential and is none.
TAKES_BACK = frozenset({
    "masked", "redacted", "hidden", "hash", "hashed", "encrypted", "obfuscated", "has", "is", "no", "needs", "need", "requires", "require", "required", "missing", "reset", "change",
    "changed", "forgot", "rotate", "found", "detected", "leaked", "exposed", "public", "dummy", "fake", "show", "hide", "scan", "invalid", "expired", "valid", "max", "min", "num", "total", "santa"})
# Endings that change nothing.
SAME = frozenset({"value", "plain", "plaintext", "raw", "str", "string", "text", "header", "1", "2"})
ENVIRONMENT = ALONE | {"token", "key", "pass", "pat"}
# What a function does to a credential so that it is none any more.
DISARMS = frozenset({"mask", "redact", "hash", "obfuscate", "censor", "encrypt", "sanitize", "scrub", "anonymize", "hide", "len", "bool", "fingerprint", "truncate", "shorten", "strip_secrets", "md5", "sha256",
                     "type", "validate", "check", "verify", "describe", "summarize", "preview", "any", "all", "isinstance", "hmac", "digest", "hexdigest", "clean"})
# Objects whose plain `token` or `key` is a credential.
HOLDERS = frozenset({"auth", "creds", "credentials", "oauth", "session", "settings", "secrets"})


def credential(name: str, among: str = "") -> bool:
    """Whether a name is that of a credential; `among`: the name of what it is an attribute or item of."""
    ws = [w for w in words(name)]
    while len(ws) > 1 and ws[-1] in SAME:
        ws.pop()
    if not ws or TAKES_BACK.intersection(ws):
        return False
    last, before = ws[-1], ws[-2] if len(ws) > 1 else ""
    if last in ALONE:
        return True
    if last in ("key", "keys"):
        return before in KEYS
    if last == "token":
        return before in TOKENS or not before and bool(HOLDERS.intersection(words(among)))
    return last == "authorization" and not before and "headers" in words(among)


def environment(name: str) -> bool:
    """Whether an environment variable holds a credential."""
    ws = words(name)
    return bool(ws) and ws[-1] in ENVIRONMENT and "public" not in ws


def disarms(name: str) -> bool:
    """Whether a function is called as if its result were no credential: `mask(token)`, `len(password)`."""
    return bool(DISARMS.intersection((*words(name), name)))


__all__ = ["credential", "disarms", "environment"]
