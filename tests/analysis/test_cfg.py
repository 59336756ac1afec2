"""Control flow of one function: points, order, edges, regions, guards, feasible connections."""

from __future__ import annotations

from marked import calls, called, function, graph, module_graph, order, point

from hitl_lint import facts as F
from hitl_lint.analysis import cfg as cfg_module
from hitl_lint.analysis.cfg import CFG, Point, build


def kinds(cfg: CFG) -> list[str]:
    return [p.kind for p in cfg.points]


def edges(p: Point) -> set[tuple[str, str]]:
    """The edges of a point as (edge kind, kind of the target)."""
    return {(e.kind, e.to.kind) for e in p.succ}


def guards(source: str, text: str = "interrupt(1)") -> list[tuple[str, str, str]]:
    """The guards of a call as (kind, branch, what is tested)."""
    cfg = graph(source)
    return [(g.kind, g.branch, shown(g.node)) for g in cfg.guards(point(cfg, text, "call"))]


def shown(node: object) -> str:
    t = type(node)
    if t is F.For or t is F.Generator:
        return F.text(node.iter)  # type: ignore[attr-defined]
    if t is F.Case:
        return F.text(node.pattern)  # type: ignore[attr-defined]
    if t is F.Handler:
        return F.text(node.type)  # type: ignore[attr-defined]
    return t.__name__ if t is F.Try else F.text(node)


# --------------------------------------------------------------------------- order of evaluation
def test_arguments_before_the_call_from_left_to_right():
    assert order(graph("def f():\n    a(b(), *c(), k=d())(e()).g(h())")) == ["b", "c", "d", "a", "e", "?", "h", "g"]


def test_value_before_the_targets_of_an_assignment():
    assert order(graph("def f():\n    a().x = b()[c()] = d(e())")) == ["e", "d", "a", "b", "c"]


def test_target_before_the_value_of_an_augmented_assignment():
    assert order(graph("def f():\n    a()[b()] += c()")) == ["a", "b", "c"]


def test_dict_key_then_value():
    assert order(graph("def f():\n    x = {a(): b(), **c(), d(): e()}")) == list("abcde")


def test_displays_slices_f_strings_and_operators_from_left_to_right():
    assert order(graph('def f():\n    x = [a(), (b(), {c()})], f"{d()} {e()}", g()[h():i()], -j() + k() * l()')) == list("abcdeghijkl")


def test_comparison_from_left_to_right():
    assert order(graph("def f():\n    x = a() < b() == c()")) == list("abc")


def test_decorators_then_defaults_then_the_binding():
    cfg = graph("def f():\n    @a()\n    @b\n    def g(x=c(), *, y=d()):\n        e()\n    h()")
    assert order(cfg) == list("acdh")
    assert [p.kind for p in cfg.points if type(p.node) is F.Def] == ["bind"]


def test_class_decorators_bases_body_then_the_binding():
    cfg = graph("def f():\n    @a()\n    class K(b(), metaclass=c()):\n        x = d()\n    e()")
    assert order(cfg) == list("abcde")


def test_lambda_body_does_not_run_where_it_is_made():
    assert order(graph("def f():\n    x = lambda y=a(): b()\n    c()")) == ["a", "c"]


def test_with_items_in_turn_each_entered_before_the_next_is_made():
    cfg = graph("def f():\n    with a() as x.y, b():\n        c()\n    d()")
    assert [p.kind for p in cfg.points if p.kind in ("call", "enter", "leave")][:6] == ["call", "enter", "call", "enter", "call", "leave"]
    assert order(cfg) == list("abcd")


def test_await_and_yield_come_after_what_they_hold():
    cfg = graph("async def f():\n    yield await a(b())")
    assert kinds(cfg) == ["entry", "call", "call", "await", "yield", "exit", "raised"]


def test_walrus_binds_after_its_value():
    cfg = graph("def f():\n    g(x := a(), b())")
    assert kinds(cfg)[:5] == ["entry", "call", "bind", "call", "call"]


def test_comprehension_first_iterable_outside_its_loop():
    cfg = graph("def f():\n    return [a(x) for x in b() if c(x) for y in d(x)]")
    regions = {called(p.node): [r.kind for r in p.regions] for p in cfg.points if p.kind == "call"}
    assert regions == {"b": [], "c": ["comp"], "d": ["comp"], "a": ["comp"]}
    assert [called(p.node) for p in cfg.points if p.kind == "call"] == ["b", "c", "d", "a"]


def test_annotations_are_not_evaluated():
    assert kinds(graph("def f():\n    x: a()\n    y: b() = c()")) == ["entry", "call", "bind", "exit", "raised"]


# --------------------------------------------------------------------------- points and edges
def test_a_condition_is_split_into_its_atoms():
    cfg = graph("def f(a, b, c):\n    if not a and (b or c):\n        x()")
    tests = [p for p in cfg.points if p.kind == "test"]
    assert [F.text(p.node) for p in tests] == ["a", "b", "c"]
    assert edges(tests[0]) == {("true", "exit"), ("false", "test")}
    assert edges(tests[1]) == {("true", "call"), ("false", "test")}
    assert edges(tests[2]) == {("true", "call"), ("false", "exit")}


def test_a_tested_call_has_its_test_point_only_by_kind():
    fn = function("def f():\n    if a():\n        b()")
    cfg = build(fn)
    call = next(calls(fn.body))
    assert [p.kind for p in cfg.at(call)] == ["call"]
    assert [p.kind for p in cfg.at(call, "test")] == ["test"]


def test_a_plain_test_is_found_without_a_kind():
    fn = function("def f(x):\n    if x:\n        b()")
    assert [p.kind for p in build(fn).at(fn.body[0].test)] == ["test"]


def test_values_without_calls_make_no_branches():
    cfg = graph("def f(s):\n    x = s.a or s.b\n    y = 1 if s else 2\n    z = s and s.c")
    assert kinds(cfg) == ["entry", "bind", "test", "bind", "bind", "exit", "raised"]
    assert edges(cfg.points[2]) == {("next", "bind")}


def test_chained_comparison_with_a_call_short_circuits():
    cfg = graph("def f(x, y):\n    if x < y < a():\n        b()")
    first = next(p for p in cfg.points if p.kind == "test")
    assert edges(first) == {("true", "call"), ("false", "exit")}


def test_exceptions_outside_of_a_try_leave_the_function():
    cfg = graph("def f():\n    a()")
    assert edges(cfg.points[1]) == {("next", "exit"), ("exc", "raised")}


def test_exceptions_in_a_try_are_dispatched_to_its_handlers():
    cfg = graph("def f():\n    try:\n        a()\n    except ValueError:\n        b()\n    except KeyError:\n        c()")
    dispatch = next(p for p in cfg.points if p.kind == "dispatch")
    assert edges(point(cfg, "a()")) == {("next", "exit"), ("exc", "dispatch")}
    assert edges(dispatch) == {("exc", "handler"), ("exc", "raised")}
    assert len(dispatch.succ) == 3


def test_bare_and_base_exception_let_nothing_out():
    for what in ("", " BaseException", " (KeyError, BaseException)"):
        cfg = graph(f"def f():\n    try:\n        a()\n    except{what}:\n        pass")
        assert cfg.raised not in cfg.reachable([cfg.entry])


def test_else_is_not_covered_by_the_handlers_of_its_try():
    cfg = graph("def f():\n    try:\n        a()\n    except:\n        pass\n    else:\n        b()")
    assert edges(point(cfg, "b()")) == {("next", "exit"), ("exc", "raised")}
    assert [r.kind for r in point(cfg, "b()").regions] == ["else"]


def test_finally_has_a_copy_for_each_way_out():
    fn = function("""
    def f(xs):
        for x in xs:
            try:
                if x: return a()
                if b(): break
                if c(): continue
            finally:
                d()
    """)
    cfg = build(fn)
    last = list(calls(fn.body))[-1]
    copies = cfg.at(last)
    assert len(copies) == 5
    assert [r.kind for r in copies[0].regions] == ["loop", "finally"]
    leads = [next(e.to for e in p.succ if e.kind == "next") for p in copies]
    assert sorted(p.kind for p in leads) == ["exit", "exit", "iter", "iter", "reraise"]


def test_the_copy_for_falling_through_comes_first():
    fn = function("def f(x):\n    try:\n        if x: return 1\n        a()\n    finally:\n        b()\n    c()")
    cfg = build(fn)
    first = cfg.at(next(c for c in calls(fn.body) if called(c) == "b"))[0]
    assert point(cfg, "c()") in {e.to for e in first.succ}


def test_exception_in_a_with_leaves_it_on_its_way_out():
    cfg = graph("def f():\n    with a():\n        b()\n    c()")
    leave = next(e.to for e in point(cfg, "b()").succ if e.kind == "exc")
    assert leave.kind == "leave" and edges(leave) == {("exc", "raised")}


def test_suppressing_with_leads_on():
    cfg = graph("def f():\n    with a():\n        b()\n    c()", suppresses=lambda item: True)
    leave = next(e.to for e in point(cfg, "b()").succ if e.kind == "exc")
    assert edges(leave) == {("next", "call"), ("exc", "raised")}


def test_regions_from_outside_in():
    cfg = graph("""
    def f(xs):
        while xs:
            with a():
                try:
                    b()
                except E:
                    c()
                finally:
                    d()
    """)
    assert [r.kind for r in point(cfg, "b()").regions] == ["loop", "with", "try"]
    assert [r.kind for r in point(cfg, "c()").regions] == ["loop", "with", "handler"]
    assert [r.kind for r in point(cfg, "d()").regions] == ["loop", "with", "finally"]
    assert point(cfg, "b()").regions[1].item is not None


def test_the_head_of_a_loop_is_in_its_region_and_its_else_is_not():
    cfg = graph("def f(xs):\n    while a():\n        pass\n    else:\n        b()\n    for x in c():\n        pass")
    inside = {called(p.node): bool(p.regions) for p in cfg.points if p.kind == "call"}
    assert inside == {"a": True, "b": False, "c": False}


def test_dead_code_has_no_points():
    fn = function("def f():\n    return 1\n    a()")
    cfg = build(fn)
    assert cfg.at(next(calls(fn.body))) == []


def test_every_point_can_be_reached():
    cfg = graph("def f(x):\n    while True:\n        if x: return a()\n        b()\n    c()")
    assert cfg.reachable([cfg.entry]) >= set(cfg.points[1:-2])


def test_constant_conditions_have_no_test():
    for text in ("True", "1", "not False", "None", "TYPE_CHECKING", "typing.TYPE_CHECKING", "0", "''"):
        assert "test" not in kinds(graph(f"def f():\n    if {text}:\n        a()\n    else:\n        b()"))


def test_calls_that_never_return():
    cfg = graph("def f():\n    sys.exit(a())\n    b()")
    assert edges(point(cfg, "sys.exit(a())")) == {("exc", "raised")}
    cfg = graph("def f():\n    quit_(a())\n    b()", no_return=lambda c: called(c) == "quit_")
    assert [called(p.node) for p in cfg.points if p.kind == "call"] == ["a", "quit_"]


def test_module_body():
    cfg = module_graph("import os\nif x:\n    a()\nfor y in b():\n    c()\n")
    assert cfg.fn is None
    assert order(cfg) == ["a", "b", "c"]


def test_a_statement_knows_itself():
    cfg = graph("def f():\n    with a():\n        if b():\n            c()")
    assert {called(p.node): type(p.stmt).__name__ for p in cfg.points if p.kind == "call"} == {"a": "With", "b": "If", "c": "ExprStmt"}
    assert {type(p.stmt).__name__ for p in cfg.points if p.kind == "leave"} == {"With"}


# --------------------------------------------------------------------------- queries
def test_reachable_and_reaching_need_an_edge():
    cfg = graph("def f():\n    a()\n    b()")
    a, b = point(cfg, "a()"), point(cfg, "b()")
    assert b in cfg.reachable([a]) and a not in cfg.reachable([a])
    assert a in cfg.reaching([b]) and b not in cfg.reaching([b])
    assert b not in cfg.reachable([a], skip=lambda p, e: e.kind == "next")


def test_dominators():
    cfg = graph("def f(x):\n    a()\n    if x:\n        b()\n    c()")
    a, b, c = (point(cfg, f"{n}()") for n in "abc")
    assert cfg.dominates(a, b) and cfg.dominates(a, c) and cfg.dominates(cfg.entry, a) and cfg.dominates(a, a)
    assert not cfg.dominates(b, c) and not cfg.dominates(c, a)


def test_connects_follows_feasible_paths_only():
    cfg = graph("def f(x):\n    if x:\n        a()\n    if not x:\n        b()\n    c()")
    a, b, c = (point(cfg, f"{n}()") for n in "abc")
    assert not cfg.connects(a, b)
    assert cfg.connects(a, c) and cfg.connects(b, c) and not cfg.connects(a, a)
    assert b in cfg.reachable([a])


def test_connects_round_a_loop():
    cfg = graph("def f(xs):\n    for x in xs:\n        a()\n        b()")
    assert cfg.connects(point(cfg, "b()"), point(cfg, "a()")) and cfg.connects(point(cfg, "a()"), point(cfg, "a()"))


def test_a_constant_of_either_branch_of_a_ternary_is_known():
    cfg = graph("""
    def f(x):
        kind = "a" if x else "b"
        if kind == "c":
            a()
        if kind != "a":
            b()
        if kind == "b":
            c()
    """)
    run = {called(p.node) for p in cfg.points if p.kind == "call" and cfg.connects(cfg.entry, p)}
    assert run == {"b", "c"}


# --------------------------------------------------------------------------- guards
def test_guards_from_the_inside_out():
    assert guards("""
    def f(x, ys):
        if x:
            for y in ys:
                if y.ok:
                    pass
                elif y.bad:
                    interrupt(1)
    """) == [("test", "true", "y.bad"), ("test", "false", "y.ok"), ("iter", "true", "ys"), ("test", "true", "x")]


def test_early_return_raise_and_continue_are_guards():
    assert guards("""
    def f(x, y, zs):
        if x:
            return
        if y:
            raise E
        for z in zs:
            if z:
                continue
            interrupt(1)
    """) == [("test", "false", "z"), ("iter", "true", "zs"), ("test", "false", "y"), ("test", "false", "x")]


def test_short_circuit_and_ternary_are_guards():
    assert guards("def f(x, y):\n    return x and (interrupt(1) if y else 0)") == [("test", "true", "y"), ("test", "true", "x")]
    assert guards("def f(x, y):\n    return x or y or interrupt(1)") == [("test", "false", "y"), ("test", "false", "x")]


def test_what_both_branches_reach_is_not_guarded():
    assert guards("def f(x):\n    if x:\n        a()\n    else:\n        b()\n    interrupt(1)") == []


def test_calls_that_could_raise_are_no_guards():
    assert guards("def f():\n    a()\n    with b():\n        c()\n        interrupt(1)") == []
    assert guards("def f():\n    try:\n        a()\n        interrupt(1)\n    except E:\n        b()") == []
    assert guards("def f():\n    try:\n        a()\n    except E:\n        b()\n    interrupt(1)") == []


def test_a_handler_is_guarded_by_the_failing_of_its_try():
    assert guards("def f():\n    try:\n        a()\n    except E:\n        interrupt(1)") == [("handler", "fail", "Try")]


def test_the_handler_chosen_among_several_is_a_guard():
    assert guards("def f():\n    try:\n        a()\n    except E:\n        interrupt(1)\n    except F:\n        b()") == [
        ("handler", "true", "E"), ("handler", "fail", "Try")]


def test_what_runs_only_after_a_failed_try_is_guarded_by_it():
    assert guards("def f():\n    try:\n        return a()\n    except E:\n        pass\n    interrupt(1)") == [("handler", "fail", "Try")]


def test_what_runs_only_after_a_try_that_went_well_is_guarded_by_it():
    want = [("try", "ok", "Try")]
    assert guards("def f():\n    try:\n        x = a()\n    except E:\n        return\n    interrupt(1)") == want
    assert guards("def f():\n    try:\n        x = a()\n    except E:\n        pass\n    else:\n        interrupt(1)") == want
    assert guards("def f():\n    try:\n        x = a()\n    except E:\n        raise X\n    interrupt(1)") == want


def test_a_finally_is_guarded_by_nothing():
    assert guards("def f(x):\n    try:\n        a()\n    finally:\n        interrupt(1)") == []


def test_match_cases_are_guards():
    assert guards("""
    def f(x, y):
        match x:
            case "a":
                pass
            case "b" if y:
                interrupt(1)
    """) == [("test", "true", "y"), ("case", "true", "'b'"), ("case", "false", "'a'")]


def test_comprehensions_are_guards():
    assert guards("def f(xs):\n    return [interrupt(1) for x in xs if x]") == [("test", "true", "x"), ("iter", "true", "xs")]


def test_loop_conditions_and_what_decides_about_another_round():
    cfg = graph("def f(x, y):\n    while x:\n        interrupt(1)\n        if y:\n            break\n        a()")
    found = [(F.text(g.node), g.branch, g.again) for g in cfg.guards(point(cfg, "interrupt(1)"))]
    assert found == [("x", "true", False), ("y", "false", True)]


def test_guards_in_a_loop_that_never_ends():
    assert guards("def f(x):\n    while True:\n        if x:\n            interrupt(1)\n        a()") == [("test", "true", "x")]


def test_assert_is_a_guard():
    assert guards("def f(x):\n    assert x\n    interrupt(1)") == [("test", "true", "x")]


# --------------------------------------------------------------------------- size and depth
def test_sixty_levels_of_every_nesting():
    shapes = {"if x:": None, "for x in a():": None, "while x:": None, "with a():": None, "try:": "except E:\n{pad}    b()"}
    for head, tail in shapes.items():
        lines = ["def f(x):"] + ["    " * (i + 1) + head for i in range(60)] + ["    " * 61 + "interrupt(1)"]
        if tail:
            lines += ["    " * (i + 1) + tail.format(pad="    " * (i + 1)) for i in reversed(range(60))]
        cfg = graph("\n".join(lines))
        assert point(cfg, "interrupt(1)")
        assert len(cfg.points) < 1000


def test_a_thousand_branches_of_one_if():
    lines = ["def f(x):", "    if x == 0:", "        a0()"]
    for i in range(1, 300):
        lines += [f"    elif x == {i}:", f"        a{i}()"]
    cfg = graph("\n".join(lines))
    assert len([p for p in cfg.points if p.kind == "call"]) == 300
    assert not cfg.connects(point(cfg, "a7()"), point(cfg, "a8()"))


def test_long_chains_do_not_recurse():
    name: F.Expr = F.Name((1, 1, 1, 2), "x")
    for i in range(5000):
        name = F.Call((1, 1, 1, i), F.Attr((1, 1, 1, i), F.Bin((1, 1, 1, i), "+", name, F.Name((1, 1, 1, 1), "y")), "m"), [])
    fn = function("def f():\n    pass")
    fn.body = [F.ExprStmt((1, 1, 1, 1), name)]
    assert len(build(fn).points) == 5003


def test_what_is_nested_too_deeply_is_taken_in_the_order_of_the_text():
    expr: F.Expr = F.Call((1, 1, 1, 2), F.Name((1, 1, 1, 2), "x"), [])
    for i in range(5000):
        expr = F.Call((1, 1, 1, i + 3), F.Name((1, 1, 1, 2), "x"), [F.Arg((1, 1, 1, 2), None, 0, expr)])
    fn = function("def f():\n    pass")
    fn.body = [F.ExprStmt((1, 1, 1, 1), expr)]
    cfg = build(fn)
    assert len(cfg.points) == 5004
    assert cfg.exit in cfg.reachable([cfg.entry])


def test_nested_finallys_do_not_explode(monkeypatch):
    monkeypatch.setattr(cfg_module, "FINALLY_CAP", 500)
    lines = ["def f(x):"]
    for i in range(30):
        pad = "    " * (i + 1)
        lines += [f"{pad}try:", f"{pad}    if x: return a{i}()", f"{pad}finally:", f"{pad}    b{i}()"]
    cfg = graph("\n".join(lines))
    assert len(cfg.points) < 4000
    assert point(cfg, "b29()")


def test_size_grows_with_the_code_and_no_faster():
    block = """
        if a(x):
            y = [b(z) for z in x if c(z)]
            for z in y:
                try:
                    d(z, k=e(z))
                except ValueError as err:
                    log(err)
                    continue
                finally:
                    g()
        elif x == {i}:
            with h() as k:
                state["k"] = k.m(x) or n(x)
    """

    def size(n: int) -> tuple[int, int]:
        cfg = graph("def f(x, state):" + "".join(block.replace("{i}", str(i)) for i in range(n)))
        return len(cfg.points), sum(len(p.succ) for p in cfg.points)

    (points, edges_), (points2, edges2) = size(20), size(40)
    assert points2 <= 2 * points and edges2 <= 2 * edges_
    assert points < 1000
