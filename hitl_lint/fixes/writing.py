"""The text of the new nodes, and the edits that make the old one the last of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.names import FnInfo
from hitl_lint.analysis.wiring import END
from hitl_lint.facts import Assign, AugAssign, Call, Const, Def, Dict, ExprStmt, Import, Name, Return, Walrus, dotted, walk
from hitl_lint.finding import Edit, Fix
from hitl_lint.fixes import blocks
from hitl_lint.fixes.across import Across
from hitl_lint.fixes.desk import Refused, Sheet
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.parts import Hot, Level, Part, Plan
from hitl_lint.fixes.rewire import Place, Rewire
from hitl_lint.fixes.schema import type_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing

NOTE = ("finish the threads that wait at this node first, or ask again on a new thread: one that was paused before the split has none of the new keys "
        "and fails when it is resumed")
STEADY_NOTE = "a thread that waits at this node since before the split resumes as it would have"


class Writing(Across):
    """The half of `Split` that writes; the attributes are those of `Split`."""

    path: str
    sheet: Sheet
    place: Place
    p: "Pausing"
    factory: FnInfo | None
    sent: bool
    written: dict[str, str]

    # ---- writing
    def _write(self, parts: list[Part], levels: list[list[Level]], hoisted: list[tuple[Any, str]], hots: list[Hot], nested: list[Level] | None) -> Plan:
        fn = self.fn
        rewire_names = self._names(len(parts))
        first_def = self._def_line()
        imports = Imports(self.desk, self.path, first_def)
        keys: dict[str, str] = {}
        for part in parts[1:]:
            for name in part.needs:
                keys.setdefault(name, self.desk.fresh(f"{fn.name.strip('_')}_{name.strip('_')}", self.path, self.schema.path))
        self.written = {k: self.desk.fresh(f"{fn.name.strip('_')}_{k if k.isidentifier() else 'value'}", self.path, self.schema.path)
                        for part in parts[1:] for k in part.writes}
        for _, name in hoisted:
            keys[name] = self.desk.fresh(f"{fn.name.strip('_')}_{name}", self.path, self.schema.path)
        if len(parts) > 2 or any(self._index(part.stmts, x.node) is not None for part in parts[:-1] for x in self.p.pauses if blocks.holds(part.stmts, x.node)):
            if not keys and not self.written:
                raise Refused("it asks more than once and nothing is handed on that would tell a run that waits since before the split: split it by hand")
            if not parts[-1].needs and not parts[-1].writes:
                raise Refused("its last part needs nothing of what came before, so that a run that waits since before the split could not be told: split it by hand")
        early = [r for part in parts[:-1] for r in self._returns(part, nested)]
        routing = self._routing(early)
        if self.sent:
            if self.schema.kind != "keys":
                raise Refused("the node gets tasks of its own by Send, and its state is no dict: split it by hand")
            if routing and any(goto not in ("", END) for goto in routing.values()):
                raise Refused("the node gets tasks of its own by Send and returns before the pause, which would come a step too early: split it by hand")
            routing = routing or {}
        targets = [*(name for name, _ in rewire_names[1:]), self.place.node.name or ""]
        made = [self._function(rewire_names[n], part, parts, n, keys, hoisted, nested, routing, targets[n], imports) for n, part in enumerate(parts[:-1])]
        edits: list[Edit] = [self.placed(rewire_names, made)]
        edits += self._rest(parts[-1], nested, keys, hoisted)
        hints = {name: self._type(name, [s for part in parts for s in part.stmts], hoisted) for name in keys}
        keyed = self.schema.edits({**{keys[name]: hints[name] for name in keys}, **{key: "" for key in self.written.values()}}, imports)
        edits = [*keyed, *edits] if self.schema.kind == "messages" else [*edits, *keyed]
        edits += imports.edits()
        # Chain: first part -> … -> the node that keeps its name.
        edits += self._wire(rewire_names, routing is not None)
        moved = [h.node for h in hots]
        steady = not keys and not self.written
        one = len(parts) == 2
        node = self.place.node.name
        title = (f'split the node "{node}": {rewire_names[0][1]}() does what comes before the pause, {fn.name}() asks' if one
                 else f'split the node "{node}" into {len(parts)} nodes, one for each stretch between its pauses')
        return Plan(Fix(title, "unsafe", tuple(edits), STEADY_NOTE if steady else NOTE), moved)

    def _names(self, count: int) -> list[tuple[str, str]]:
        """(node name, function name) of the new nodes in their order."""
        fn, node = self.fn.name, self.place.node.name or self.fn.name
        taken = {n.name for n in self.place.graph.nodes}
        out: list[tuple[str, str]] = []
        same = node == fn
        for n in range(count - 1):
            word = "prepare" if count == 2 else f"part_{n + 1}_of"
            bare = fn.lstrip("_")
            name = self.desk.fresh(f"{'_' * (len(fn) - len(bare))}{word}_{bare}", self.path, self.place.node.scope.module.path)
            made = name if same else f"{word}_{node}"
            while made in taken:
                made += "_2"
            out.append((made, name))
        return out

    def _def_line(self) -> int:
        line = min([self.fn.whole[0], self.fn.at[0], *(d.at[0] for d in self.fn.decorators)])
        while self.sheet.line(line - 1).lstrip().startswith("#"):
            line -= 1
        return line

    def _function(self, name: tuple[str, str], part: Part, parts: list[Part], n: int, keys: dict[str, str], hoisted: list[tuple[Any, str]],
                  nested: list[Level] | None, routing: dict[int, str] | None, target: str, imports: Imports, extra: dict[str, str] | None = None) -> str:
        sheet = self.sheet
        indent = sheet.indent(blocks.first_line(self._body()[0]))
        command = imports.name("langgraph.types", "Command") if routing is not None else ""
        wanted = [k for k in keys if any(k in later.needs for later in parts[n + 1 :]) or any(k == h for _, h in hoisted)]
        own = part.stmts if nested is None else [s for level in nested for s in level.block[: level.cut]]
        made_here = {*blocks.uses(own).binds, *(c for s in own for c in blocks.changed(s))}
        writes = self._state_writes(part.stmts) if self.written else []
        gives = [k for k in wanted if k in made_here or any(k == h for _, h in hoisted)]

        def leaving(names: list[str], deeper: str) -> str:
            given = {**(extra or {}), **{keys[k]: k for k in names}, **{self.written[k]: f'{self.state}["{k}"]' for k in writes}, **self.schema.marker(bool(keys))}
            update = "{" + ", ".join(f'"{key}": {value}' for key, value in given.items()) + "}"
            if routing is None:
                return f"{deeper}return {update}\n"
            if self.sent:
                sent = imports.name("langgraph.types", "Send")
                return f'{deeper}return {command}(goto={sent}("{target}", {{**{self.state}, {update[1:]}))\n'.replace(", })", "})").replace(", }", "}")
            shown = f"update={update}, " if given else ""
            return f'{deeper}return {command}({shown}goto="{target}")\n'

        body = "".join(f"{indent}{line}\n" for line in self._reads(part, keys)) + self._copied(part.again, indent)
        if nested is None:
            body += self._text(part.stmts, routing, command, imports) + leaving(gives, indent)
        else:
            top = [k for k in gives if k in blocks.set_after(nested[0].block[: nested[0].cut])]
            for level in nested:
                deeper = sheet.indent(blocks.first_line(level.block[0])) if level.block else indent
                if level.test:
                    outer = sheet.indent(level.owner.at[0])
                    body += f"{outer}if {level.test}:\n"
                body += self._text(level.block[: level.cut], routing, command, imports)
                if level is nested[-1]:
                    for root, var in hoisted:
                        written = sheet.slice(root.at)
                        if "\n" in written and not written.endswith((")", "]", "}")):
                            written = f"({written})"
                        body += f"{deeper}{var} = {written}\n"
                    body += leaving([k for k in gives if k in top or k not in top], deeper)
            if len(nested) > 1:
                body += leaving(top, indent)
        returns = None
        if routing is not None and self.fn.returns is not None:
            literal = imports.name("typing", "Literal")
            ends = [target, *(t for ts in routing.values() if ts for t in ts.split("\0"))]
            returns = f"{command}[{literal}[{', '.join(chr(34) + t + chr(34) for t in dict.fromkeys(ends))}]]"
        elif self.fn.returns is not None:
            returns = "dict"
        outer = sheet.indent(self._def_line())
        blank = "\n\n" if not outer else "\n"
        return header(sheet, self.fn, name[1], returns) + "\n" + body + blank

    def _reads(self, part: Part, keys: dict[str, str]) -> list[str]:
        return [*(self.read(k, keys[k], part.stmts) for k in part.needs), *self._rewritten(part)]

    def _rewritten(self, part: Part) -> list[str]:
        return [f'{self.state}["{k}"] = {self.state}["{self.written[k]}"]' for k in part.writes]

    def read(self, name: str, key: str, later: list[Any]) -> str:
        """The line that takes a value out of the state; a copy of it where `later` changes it in place, which would change the state's own."""
        kind = self._type(name, self.fn.body, [])
        if not any(n == name for s in later for n in blocks.changed(s)):
            return self.schema.read(name, key, "tuple" if kind == "tuple" else "")  # a tuple comes back as a list
        if kind not in ("list", "dict", "set"):
            plain = all(type(b) is not AugAssign or kind in ("int", "str", "float", "bool", "tuple") for s in later for b in walk(s)
                        if type(b) is AugAssign and type(b.target) is Name and b.target.id == name)
            if plain and kind in ("int", "str", "float", "bool", "tuple"):
                return self.schema.read(name, key, "tuple" if kind == "tuple" else "")
            raise Refused(f"`{name}` is changed in place after the pause and it cannot be told what it is: make a new object of it there, then the node can be split")
        return self.schema.read(name, key, kind)

    def _copied(self, stmts: list[Any], indent: str) -> str:
        """Statements once more, at another indentation if they are one line each."""
        out = ""
        for stmt in stmts:
            first, last = blocks.first_line(stmt), blocks.last_line(stmt)
            own = self.sheet.indent(first)
            for number in range(first, last + 1):
                line = self.sheet.line(number)
                if own != indent and first != last:
                    raise Refused("what the pausing part needs again goes over several lines in an inner block: split the node by hand")
                out += (indent + line.lstrip() if number == first else line) + "\n"
        return out

    def goto(self, ends: list[str], imports: Imports) -> str:
        """Where a `Command` goes, as text."""
        shown = [imports.name("langgraph.graph", "END") if e == END else f'"{e}"' for e in ends]
        return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"

    def _text(self, stmts: list[Any], routing: dict[int, str] | None, command: str, imports: Imports) -> str:
        """The lines of statements with their comments; returns in them become routing."""
        if not stmts:
            return ""
        sheet = self.sheet
        first = self._top_of(stmts[0])
        last = blocks.last_line(stmts[-1])
        lines = [sheet.line(n) for n in range(first, last + 1)]
        if routing is not None:
            found = [r for s in stmts for r in walk(s) if type(r) is Return]
            for r in sorted(found, key=lambda r: r.at, reverse=True):
                goto = routing.get(id(r), "")
                if goto == "":
                    continue
                value = sheet.slice(r.value.at) if r.value is not None else ""
                nothing = r.value is None or type(r.value) is Const and r.value.kind == "none" or type(r.value) is Dict and not r.value.keys
                made = f"return {command}({'' if nothing else 'update=' + value + ', '}goto={self.goto(goto.split(chr(0)), imports)})"
                a, b = r.at[0] - first, r.at[2] - first
                lines[a : b + 1] = [lines[a][: r.at[1] - 1] + made + lines[b][r.at[3] - 1 :]]
        return "\n".join(lines) + "\n"

    def _top_of(self, stmt: Any) -> int:
        """The first line that belongs to a statement: its comments too, down from the head of the function or the statement before."""
        return blocks.with_comments(self.sheet, stmt, self.fn.at[0])

    # ---- early returns
    def _returns(self, part: Part, nested: list[Level] | None) -> list[Any]:
        stmts = part.stmts if nested is None else [s for level in nested for s in level.block[: level.cut]]
        return [n for s in stmts for n in walk(s) if type(n) is Return]

    def _routing(self, early: list[Any]) -> dict[int, str] | None:
        """By the id of a return before the pause where it leads: node names joined by NUL, "" where it stays as it is. None without such returns."""
        if not early:
            return None
        graph, old = self.place.graph, self.place.node.name
        if any(b.source == old for b in graph.branches):
            raise Refused("the node returns before the pause and a router decides where it goes: let the router's node come first, then split it by hand")
        if any(old in e.sources and len(e.sources) > 1 for e in graph.edges):
            raise Refused("the node returns before the pause, and another node waits for it and others: split it by hand")
        ends = [e.target for e in graph.edges if old in e.sources]
        if None in ends:
            raise Refused("where the node leads cannot be read: split it by hand")
        speaks = bool(self.project.graphs.gotos(self.info)) or any(type(n) is Call and (dotted(n.func) or "").rsplit(".", 1)[-1] == "Command" for s in self.fn.body for n in walk(s))
        out: dict[int, str] = {}
        for r in early:
            v = r.value
            if type(v) is Call and (dotted(v.func) or "").rsplit(".", 1)[-1] == "Command":
                if ends:
                    raise Refused("the node goes on by Command beside its edges: split it by hand")
                out[id(r)] = ""
                continue
            plain = v is None or type(v) in (Dict, Const)
            if not plain and speaks:
                raise Refused("what the node returns before the pause may be a Command or an update: split it by hand")
            # Without an edge the run ends there, as before.
            out[id(r)] = "\0".join(str(e) for e in ends) if ends else END
        return out

    # ---- the part that keeps its name
    def _rest(self, part: Part, nested: list[Level] | None, keys: dict[str, str], hoisted: list[tuple[Any, str]]) -> list[Edit]:
        sheet = self.sheet
        body = self._body()
        indent = sheet.indent(blocks.first_line(body[0]))
        out: list[Edit] = []
        top_names = part.needs if nested is None or len(nested) == 1 else [k for k in part.needs if k in blocks.set_after(nested[0].block[: nested[0].cut])]
        reads = [self.read(k, keys[k], part.stmts) for k in top_names]
        first_part = nested is None or len(nested) == 1
        if first_part:
            reads += [self.schema.read(k, keys[k]) for _, k in hoisted]
        head = "".join(f"{indent}{line}\n" for line in [*self.schema.guard(bool(keys)), *reads, *self._rewritten(part)])
        deep_again = [s for s in part.again if nested is not None and not any(s is x for x in nested[0].block)]
        head += self._copied([s for s in part.again if not any(s is d for d in deep_again)], indent)
        first = self._top_of(body[0])
        keep_from = self._top_of(part.stmts[0]) if part.stmts[0] is not body[0] else first
        out.append(sheet.edit((first, 1, keep_from, 1), head) if keep_from > first or head else None)  # type: ignore[arg-type]
        if nested is not None and len(nested) > 1:
            for level in nested[1:]:
                last = level is nested[-1]
                deeper = sheet.indent(blocks.first_line(level.block[0]))
                here = [k for k in part.needs if k not in top_names and k in blocks.uses(level.block[: level.cut]).binds]
                lines = "".join(f"{deeper}{self.read(k, keys[k], part.stmts)}\n" for k in [*here, *([k for _, k in hoisted] if last else [])])
                lines += self._copied([s for s in deep_again if any(s is x for x in level.block)], deeper)
                a, b = self._top_of(level.block[0]), self._top_of(level.block[level.cut])
                if level.cut or lines:
                    out.append(sheet.edit((a, 1, b, 1), lines))
        for root, var in hoisted:
            out.append(sheet.edit(root.at, var))
        return [e for e in out if e is not None]

    def _type(self, name: str, stmts: list[Any], hoisted: list[tuple[Any, str]]) -> str:
        values = [root for root, var in hoisted if var == name] or [
            b.value if type(b) in (Assign, Walrus) and (type(b) is Walrus or len(b.targets) == 1 and type(b.targets[0]) is Name) else None
            for b in blocks.uses(stmts).binds.get(name, ()) if type(b) is not AugAssign]
        kinds = {type_of(self.project, v, self.scope) if v is not None else "" for v in values}
        return next(iter(kinds)) if len(kinds) == 1 else ""

    # ---- the graph
    def _wire(self, names: list[tuple[str, str]], routed: bool) -> list[Edit]:
        return Rewire(self.desk, self.place, self.info, self.registered(names), not routed, self.factory, self.sent).edits()

    # ---- a function that makes the node
    def _factory(self) -> FnInfo | None:
        """The function that makes and returns the node, where it is registered by a call of that (`add_node("ask", make_ask(model))`)."""
        owner = self.info.parent.owner
        if not isinstance(owner, FnInfo) or not any(
                type(n) is Return and type(n.value) is Name and n.value.id == self.fn.name for s in owner.fn.body for n in walk(s)):
            return None
        body = owner.fn.body
        last = body[-1]
        inner = next((s for s in body if type(s) is Def and s.fn is self.fn), None)
        if type(last) is not Return or inner is None or body.index(inner) != len(body) - 2 or owner.fn.decorators or owner.fn.is_generator:
            raise Refused(f"{owner.name}() makes the node and does more than that: split it by hand")
        for stmt in body[:-2]:
            if type(stmt) not in (Assign, Import, Def, ExprStmt) or type(stmt) is ExprStmt and type(stmt.value) is not Const:
                raise Refused(f"{owner.name}() makes the node and does more than that: split it by hand")
            for n in walk(stmt):
                j = self.project.effects.judge(n, self.project.names.scope(owner)) if type(n) is Call else None
                if j is not None and any(getattr(j, kind) is not None for kind in ("effect", "model", "grow", "pause")):
                    raise Refused(f"{owner.name}() makes the node and does more than that: split it by hand")
        blocks.on_own_lines(self.sheet, body[:-2])
        return owner

    def registered(self, names: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """(node, what stands for it where it is registered): the function, or the function that makes it."""
        return names if self.factory is None else [(node, self._maker(function)) for node, function in names]

    def _maker(self, function: str) -> str:
        assert self.factory is not None
        name, inner = self.factory.name, self.fn.name.strip("_")
        made = name.replace(inner, function.strip("_")) if inner in name else f"{name}_{function.strip('_')}"
        return self.desk.fresh(made, self.path, self.place.node.scope.module.path)

    def placed(self, names: list[tuple[str, str]], made: list[str]) -> Edit:
        """The new functions in front of the old one; what a function makes gets a function that makes it, in front of that one."""
        if self.factory is None:
            return self.sheet.insert_before(self._def_line(), "".join(made))
        fn, sheet = self.factory.fn, self.sheet
        indent = sheet.indent(blocks.first_line(self.fn_stmt()))
        text = ""
        top = min([fn.whole[0], fn.at[0]])
        for (_, function), one in zip(names, made):
            head = header(sheet, fn, self._maker(function), None)
            body = fn.body[1:-2] if fn.body and type(fn.body[0]) is ExprStmt else fn.body[:-2]
            before = sheet.slice((blocks.with_comments(sheet, body[0], fn.at[0]), 1, blocks.last_line(body[-1]), len(sheet.line(blocks.last_line(body[-1]))) + 1)) + "\n\n" if body else ""
            text += f"{head}\n{before}{one.rstrip()}\n\n{indent}return {function}\n" + ("\n\n" if not sheet.indent(top) else "\n")
        return sheet.insert_before(top, text)

    def fn_stmt(self) -> Any:
        assert self.factory is not None
        return next(s for s in self.factory.fn.body if type(s) is Def and s.fn is self.fn)


def header(sheet: Sheet, fn: Any, name: str, annotation: str | None) -> str:
    """The decorators and the def with another name; `annotation` in the place of what it says it returns, None to leave that."""
    top = min([fn.whole[0], fn.at[0], *(d.at[0] for d in fn.decorators)])
    first = blocks.first_line(fn.body[0])
    col = fn.body[0].at[1]
    lines = sheet.slice((top, 1, first, col)).rstrip()
    if not lines.endswith(":"):
        cut = lines.rfind("\n")
        # A comment stands behind the colon, or on lines of its own above the first statement.
        while cut > 0 and lines[cut:].lstrip().startswith("#"):
            lines = lines[:cut].rstrip()
            cut = lines.rfind("\n")
        tail = lines[cut + 1 :]
        if "#" in tail:
            lines = lines[: cut + 1] + tail[: tail.rindex("#")].rstrip()
        if not lines.endswith(":"):
            raise Refused(f"the head of {fn.name}() is written in a way that cannot be copied: split it by hand")
    before = sheet.slice((top, 1, fn.at[0], fn.at[1]))
    after = lines[len(before) + len(fn.name) :]
    if fn.returns is not None and annotation is not None:
        start = len(sheet.slice((fn.at[2], fn.at[3], fn.returns.at[0], fn.returns.at[1])))
        length = len(sheet.slice(fn.returns.at))
        after = after[:start] + annotation + after[start + length :]
    return before + name + after
