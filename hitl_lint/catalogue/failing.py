"""Exceptions that say that the request itself is wrong: who sends the same request again meets the same exception.

From the documentation of the libraries: status 400, 413 and 422 of model providers, a context that is too long, an address that is none.
"""

_BAD_REQUEST = ("BadRequestError", "UnprocessableEntityError")

SAME_AGAIN = frozenset({
    "langchain_core.exceptions.ContextOverflowError",
    "httpx.InvalidURL", "httpx.UnsupportedProtocol",
    "requests.exceptions.InvalidURL", "requests.exceptions.InvalidSchema", "requests.exceptions.MissingSchema",
    *(f"{library}.{name}" for library in ("openai", "anthropic", "groq", "litellm", "litellm.exceptions") for name in _BAD_REQUEST),
    "litellm.ContextWindowExceededError", "litellm.exceptions.ContextWindowExceededError", "anthropic.RequestTooLargeError",
})

__all__ = ["SAME_AGAIN"]
