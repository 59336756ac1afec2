"""The replay zone, construct by construct, on facts directly."""

from __future__ import annotations

from marked import called, check, function, index_range, is_pause, point, position_differs

from hitl_lint.analysis.cfg import build
from hitl_lint.analysis.zones import zone


# --------------------------------------------------------------------------- straight lines and branches
def test_before_a_pause_is_inside_and_after_it_is_not():
    check("""
    def f():
        a()                          # zone
        x = interrupt(b())           # pause zone
        c(x)                         # after
    """)


def test_between_two_pauses_is_inside():
    check("""
    def f():
        a()                          # zone
        interrupt(1)                 # pause
        b()                          # zone after
        interrupt(2)                 # pause
        c()                          # after
    """)


def test_a_function_that_never_pauses_has_no_zone():
    check("""
    def f():
        a()
        if b():
            c()
    """)


def test_if_elif_else_only_the_branch_with_the_pause_is_inside():
    check("""
    def f(x):
        top()                        # zone
        if x == 1:
            a()
        elif test():                 # zone
            b()                      # zone
            interrupt(1)             # pause
            c()                      # after
        else:
            d()
        e()                          # after
    """)


def test_a_branch_that_returns_before_the_pause_is_outside():
    check("""
    def f(x):
        if x:
            a()
            return b()
        c()                          # zone
        interrupt(1)                 # pause
    """)


def test_a_branch_that_raises_before_the_pause_is_outside():
    check("""
    def f(x):
        if x:
            a()
            raise Bad(b())
        interrupt(c())               # zone pause
    """)


def test_code_after_return_is_dead():
    check("""
    def f(x):
        interrupt(1)                 # pause
        return a()                   # after
        b()                          # dead
        interrupt(2)                 # dead
    """)


def test_both_branches_end_then_the_rest_is_dead():
    check("""
    def f(x):
        if x:
            return a()
        else:
            raise b()
        interrupt(1)                 # dead
    """)


def test_constant_tests_are_pruned():
    check("""
    def f(x):
        if TYPE_CHECKING:
            a()                      # dead
        if False:
            b()                      # dead
            interrupt(1)             # dead
        if not 0:
            c()                      # zone
        else:
            d()                      # dead
        interrupt(2)                 # pause
    """)


# --------------------------------------------------------------------------- loops
def test_for_the_whole_body_is_inside_when_it_can_pause_again():
    z = check("""
    def f(xs):
        for x in items():            # zone
            a()                      # zone after
            interrupt(x)             # pause
            b()                      # zone after
        else:
            c()                      # after
        d()                          # after
    """)
    assert z.loops(z.pauses[0]).kind == "loop"
    assert index_range(z, z.pauses[0]) == (0, None)


def test_for_left_after_its_first_pause_does_not_loop():
    z = check("""
    def f(xs):
        for x in xs:
            if a(x):                 # zone
                interrupt(x)         # pause
                b()                  # after
                break
            c()                      # zone
        else:
            d()
        e()                          # after
    """)
    assert z.loops(z.pauses[0]) is None
    assert index_range(z, z.pauses[0]) == (0, 0)


def test_for_that_ends_before_the_pause_is_inside_but_no_loop_of_it():
    z = check("""
    def f(xs):
        for x in xs:
            a(x)                     # zone
        interrupt(xs)                # pause
        for x in xs:
            b(x)                     # after
    """)
    assert z.loops(z.pauses[0]) is None


def test_continue_before_the_pause_leads_to_the_next_round():
    check("""
    def f(xs):
        for x in xs:
            if a(x):                 # zone after
                b(x)                 # zone after
                continue
            interrupt(x)             # pause
    """)


def test_break_before_the_pause_leaves_the_zone():
    check("""
    def f(xs):
        for x in xs:
            if a(x):                 # zone after
                b(x)                 # after
                break
            interrupt(x)             # pause
        c()                          # after
    """)


def test_else_of_a_loop_is_skipped_by_break():
    check("""
    def f(xs):
        for x in xs:
            if a(x):                 # zone
                b()
                break
        else:
            c()                      # zone
            interrupt(1)             # pause
        d()                          # after
    """)


def test_while_its_condition_is_inside():
    z = check("""
    def f(x):
        while more():                # zone after
            interrupt(x)             # pause
            b()                      # zone after
        else:
            c()                      # after
    """)
    assert z.loops(z.pauses[0]).kind == "loop"


def test_while_true_asks_until_the_answer_is_good():
    z = check("""
    def f():
        a()                          # zone
        while True:
            x = interrupt(b())       # zone after pause
            if good(x):              # zone after
                c()                  # after
                break
            d()                      # zone after
        e()                          # after
    """)
    assert z.loops(z.pauses[0])


def test_while_true_without_break_never_ends():
    check("""
    def f():
        while True:
            interrupt(1)             # pause
        a()                          # dead
    """)


def test_pause_in_the_condition_of_a_while():
    z = check("""
    def f():
        while interrupt("more?"):    # pause
            a()                      # zone after
        b()                          # after
    """)
    assert z.loops(z.pauses[0]).kind == "loop"


def test_nested_loops_tell_the_innermost_that_repeats():
    z = check("""
    def f(xs):
        for x in xs:
            for y in x:
                interrupt(y)         # pause
                break
            a()                      # zone after
    """)
    assert z.loops(z.pauses[0]).node.at[0] == 3


# --------------------------------------------------------------------------- exceptions
def test_try_the_handler_of_what_stands_before_the_pause_is_outside():
    check("""
    def f():
        try:
            a()                      # zone
            x = interrupt(1)         # pause
            b(x)                     # after
        except ValueError:
            c()                      # after
        else:
            d()                      # after
        e()                          # after
    """)


def test_handler_that_only_the_pause_reaches_is_not_after_an_answer():
    check("""
    def f():
        try:
            interrupt(1)             # pause
        except Exception:
            a()
            raise
        b()                          # after
    """)


def test_pause_in_a_handler_the_body_is_inside():
    check("""
    def f():
        try:
            a()                      # zone
            b()                      # zone
        except ValueError:
            c()                      # zone
            interrupt(1)             # pause
        else:
            d()
        e()                          # after
    """)


def test_pause_in_else():
    check("""
    def f():
        try:
            a()                      # zone
        except ValueError:
            b()
        else:
            interrupt(c())           # zone pause
        d()                          # after
    """)


def test_pause_in_finally_everything_before_is_inside():
    z = check("""
    def f(x):
        try:
            if x:
                return a()           # zone
            b()                      # zone
        except ValueError:
            c()                      # zone
        finally:
            d()                      # zone
            interrupt(1)             # pause
            e()                      # after
        g()                          # after
    """)
    assert len(z.pauses) > 1 and len({p.node for p in z.pauses}) == 1
    assert not z.later_pauses(z.pauses[0])


def test_finally_of_a_pause_runs_after_the_answer_and_is_outside():
    check("""
    def f():
        try:
            a()                      # zone
            interrupt(1)             # pause
        finally:
            b()                      # after
        c()                          # after
    """)


def test_finally_that_only_runs_because_of_the_pause_is_not_after():
    check("""
    def f():
        while True:
            try:
                interrupt(1)         # pause
                sys.exit(a())        # after
            finally:
                b()                  # after
    """)


def test_return_passes_through_finally():
    check("""
    def f(x):
        try:
            if x:
                return a()           # zone
            return b()               # zone
        finally:
            interrupt(1)             # pause
        c()                          # dead
    """)


def test_retry_loop_around_a_helper_that_asks_and_parses():
    z = check("""
    def f():
        while True:
            try:
                return ask("number") # pause
            except ValueError:
                a()                  # zone after
    """)
    assert z.loops(z.pauses[0])


def test_retry_loop_around_a_bare_interrupt_does_not_ask_again_by_itself():
    z = check("""
    def f():
        while True:
            try:
                return interrupt(1)  # pause
            except ValueError:
                a()                  # zone
    """)
    assert z.loops(z.pauses[0]) is None


def test_parsing_the_answer_may_lead_to_the_next_round():
    z = check("""
    def f():
        while True:
            try:
                x = int(interrupt(1)) # pause after zone
                break
            except ValueError:
                a()                  # zone after
        b(x)                         # after
    """)
    assert z.loops(z.pauses[0])


def test_subscript_in_a_try_reaches_its_handler():
    check("""
    def f(d):
        a()                          # zone
        try:
            x = d["k"]
        except KeyError:
            interrupt(1)             # pause
    """)


def test_handler_of_a_body_that_cannot_raise_is_dead():
    check("""
    def f(d):
        try:
            x = 1
        except KeyError:
            interrupt(1)             # dead
    """)


def test_narrow_handlers_let_the_exception_go_outward():
    check("""
    def f():
        try:
            try:
                a()                  # zone
            except KeyError:
                b()                  # zone
            c()                      # zone
        except ValueError:
            interrupt(1)             # pause
    """)


def test_except_star_clauses_can_run_one_after_the_other():
    check("""
    def f():
        try:
            a()                      # zone
        except* ValueError:
            b()                      # zone
        except* TypeError as e:
            c(e)                     # zone
            interrupt(1)             # pause
        d()                          # after
    """)


def test_raise_in_a_try_goes_to_its_handler():
    check("""
    def f(x):
        try:
            if x:
                raise Bad(a())       # zone
            b()                      # zone
            return
        except Bad:
            interrupt(1)             # pause
    """)


def test_a_call_that_never_returns_ends_the_path():
    check("""
    def f(x):
        if x:
            a()
            sys.exit(b())
        interrupt(1)                 # pause
    """)
    check("""
    async def f(x):
        if x:
            a()
            await fail(b())
        interrupt(1)                 # pause
    """, no_return=lambda call: called(call) == "fail")


def test_assert_ends_the_path_where_it_fails():
    check("""
    def f(x):
        assert a(x), b(x)            # zone
        interrupt(1)                 # pause
        assert False, c()            # after
        d()                          # dead
    """)


# --------------------------------------------------------------------------- with
def test_with_enters_before_and_leaves_after():
    check("""
    def f():
        with a() as x, b():          # zone
            c(x)                     # zone
            interrupt(1)             # pause
            d()                      # after
        e()                          # after
    """)


def test_async_with_and_async_for():
    check("""
    async def f():
        async with a():              # zone
            async for x in b():      # zone
                await c(x)           # zone after
                interrupt(x)         # pause
        await d()                    # after
    """)


def test_suppressing_context_manager_leads_on_after_an_exception():
    source = """
    def f():
        with quiet():                # zone
            a()                      # zone
            return
        interrupt(1)                 # pause
    """
    check(source, suppresses=lambda item: called(item.value) == "quiet")
    check(source.replace("# zone", "").replace("# pause", "# dead"))


def test_return_in_with_leaves_it():
    check("""
    def f(x):
        with lock():                 # zone
            if x:
                return a()
            b()                      # zone
        interrupt(1)                 # pause
    """)


# --------------------------------------------------------------------------- match
def test_match_only_the_case_with_the_pause_is_inside():
    check("""
    def f(x):
        match a(x):                  # zone
            case "one":
                b()
            case {"k": v} if c(v):   # zone
                d()                  # zone
                interrupt(v)         # pause
            case _:
                e()
        g()                          # after
    """)


def test_match_with_a_catch_all_covers_everything():
    check("""
    def f(x):
        match x:
            case 1:
                return a()
            case other:
                return b()
        interrupt(1)                 # dead
    """)


def test_match_guard_that_fails_goes_on_to_the_next_case():
    check("""
    def f(x, y):
        match x:
            case [a_] if b():        # zone
                c()
            case _:
                interrupt(1)         # pause
    """)


# --------------------------------------------------------------------------- expressions
def test_short_circuit_and():
    check("""
    def f(x):
        y = a() and interrupt(1) and b() # zone pause after
        c()                          # after
    """)
    check("""
    def f(x):
        if x and (
            a()                      # zone
        ) and interrupt(1):          # pause
            b()                      # after
        else:
            c()                      # after
    """)


def test_short_circuit_or():
    check("""
    def f(x):
        y = x or a(                  # after
            b(),                     # zone
            interrupt(1),            # pause
        )
        c(y)                         # after
    """)


def test_alternatives_of_or_are_on_one_path_only_in_order():
    check("""
    def f(x):
        return (
            cached()                 # zone
            or interrupt(1)          # pause
            or default()             # after
        )
    """)


def test_ternary_the_other_branch_is_outside():
    check("""
    def f(x):
        y = (
            a()                      # zone
            and interrupt(1)         # pause
            if test()                # zone
            else b()
        )
    """)


def test_ternary_in_arguments():
    check("""
    def f(x):
        call(                        # after
            a(),                     # zone
            interrupt(1) if x else b(), # pause
            c(),                     # after
        )
    """)


def test_walrus_binds_on_the_way():
    check("""
    def f():
        if (x := a()):               # zone
            interrupt(x)             # pause
        while (y := b()) is not None: # after
            c(y)                     # after
    """)


def test_comprehension_pauses_in_a_loop():
    z = check("""
    def f(xs):
        y = [
            interrupt(x)             # pause
            for x in items()         # zone
            if ok(x)                 # zone after
        ]
        b()                          # after
    """)
    assert z.loops(z.pauses[0]).kind == "comp"


def test_generator_expression_is_evaluated_in_place():
    z = check("""
    def f(xs):
        ok = any(                    # after
            interrupt(x)             # pause
            for x in xs
            for y in inner(x)        # zone after
        )
        b()                          # after
    """)
    assert z.loops(z.pauses[0]).kind == "comp"


def test_comprehension_before_the_pause():
    check("""
    def f(xs):
        y = {k(x): v(x) for x in xs} # zone
        interrupt(y)                 # pause
        z = [w(x) for x in y]        # after
    """)


def test_await_and_yield():
    check("""
    async def f():
        x = await a()                # zone
        yield b()                    # zone
        y = await ask(x)             # pause
        yield c()                    # after
        await d()                    # after
    """)


def test_nested_def_and_lambda_do_not_run_where_they_are_defined():
    z = check("""
    def f():
        def inner(x=a()):
            interrupt(1)
        g = lambda y=b(): interrupt(2)
        c()
    """)
    assert not z.pauses


def test_a_nested_def_that_pauses_is_a_pause_where_it_is_called():
    check("""
    def f():
        a()                          # zone
        def ask():
            return interrupt(1)
        b()                          # zone
        ask()                        # pause
        c()                          # after
    """)


def test_decorators_and_defaults_run_where_the_function_is_defined():
    fn = function("""
    def f():
        @deco(a())
        def inner(x=b()):
            c()
        interrupt(1)
        @deco2(d())
        class K(base()):
            e()
    """)
    cfg = build(fn)
    z = zone(cfg, is_pause)
    inside = {called(p.node) for p in cfg.points if p.kind == "call" and z.contains(p)}
    after = {called(p.node) for p in cfg.points if p.kind == "call" and z.after_pause(p)}
    assert inside == {"deco", "a", "b"}
    assert after == {"deco2", "d", "base", "e"}


def test_class_body_in_a_function_runs_in_place():
    check("""
    def f():
        class K:
            x = a()                  # zone
        interrupt(1)                 # pause
        class L:
            def m(self):
                pass
            y = b()                  # after
    """)


# --------------------------------------------------------------------------- gather
def test_siblings_in_a_gather_are_inside():
    check("""
    async def f(x):
        await asyncio.gather(        # after
            a(),                     # zone
            ask(x),                  # pause
            b(),                     # zone after
        )
        c()                          # after
    """)


def test_siblings_of_tasks_given_to_gather_by_name():
    check("""
    async def f(x):
        one = asyncio.create_task(   # zone after
            ask(x))                  # pause
        two = asyncio.create_task(   # zone after
            send(x))                 # zone after
        jobs = [other(i) for i in x] # zone after
        await asyncio.gather(one, two, *jobs) # after
    """)


def test_gather_without_a_pause_has_no_siblings():
    check("""
    async def f(x):
        ask(x)                       # pause
        await asyncio.gather(a(), b()) # after
    """)


def test_siblings_in_a_task_group_are_inside():
    check("""
    async def f(x):
        async with asyncio.TaskGroup() as tg: # zone
            tg.create_task(          # zone after
                ask(x))              # pause
            tg.create_task(          # zone after
                send(x))             # zone after
        c()                          # after
    """)


# --------------------------------------------------------------------------- correlated branches
def test_different_constants_of_one_expression_exclude_each_other():
    check("""
    def f(state):
        if state["mode"] == "auto":
            a()
        if state.get("mode") == "ask": # zone
            b()                      # zone
            interrupt(1)             # pause
        if "auto" == state["mode"]:
            c()
    """)


def test_rebinding_forgets_what_was_known():
    check("""
    def f(mode):
        if mode == "auto":
            a()                      # zone
        mode = pick()                # zone
        if mode == "ask":
            interrupt(1)             # pause
    """)
    check("""
    def f(state):
        if state["mode"] == "auto":
            a()                      # zone
        state["mode"] = pick()       # zone
        if state["mode"] == "ask":
            interrupt(1)             # pause
    """)


def test_assigning_another_key_forgets_nothing():
    check("""
    def f(state):
        if state["mode"] == "auto":
            a()
        state["other"] = pick()      # zone
        if state["mode"] == "ask":
            interrupt(1)             # pause
    """)


def test_update_of_the_container_forgets():
    check("""
    def f(state):
        if state["mode"] == "auto":
            a()                      # zone
        state.update(pick())         # zone
        if state["mode"] == "ask":
            interrupt(1)             # pause
    """)


def test_flag_and_not_flag():
    check("""
    def f(flag):
        if flag:
            a()
        if not flag:
            interrupt(1)             # pause
        if flag:
            b()
        else:
            c()                      # after
    """)


def test_none_excludes_truth():
    check("""
    def f(x):
        if x is None:
            a()
        if x:
            interrupt(1)             # pause
            if x is not None:
                b()                  # after
            else:
                c()                  # dead
    """)


def test_membership_in_constants():
    check("""
    def f(x):
        if x == "a":
            a()
        if x in ("b", "c"):
            b()                      # zone
            if x == "b":
                c()
            if x not in ["b"]:
                interrupt(1)         # pause
    """)


def test_enumeration_members_exclude_each_other():
    check("""
    def f(x):
        if x is Mode.AUTO:
            a()
        if x == Mode.ASK:
            interrupt(1)             # pause
    """)


def test_match_on_the_same_subject_twice():
    check("""
    def f(x):
        match x:
            case "a" | "b":
                a()
            case "c":
                b()                  # zone
        match x:
            case "a":
                c()
            case "c":
                interrupt(1)         # pause
    """)


def test_isinstance_of_builtin_types():
    check("""
    def f(x):
        if isinstance(x, str):       # zone
            a()
        if isinstance(x, (dict, list)): # zone
            b()                      # zone
        if isinstance(x, Thing):     # zone
            c()                      # zone
        if isinstance(x, dict):      # zone
            interrupt(1)             # pause
    """)


def test_local_flag_assigned_constants():
    check("""
    def f(x):
        done = False
        if x:
            a()
            done = True
        if not done:
            interrupt(1)             # pause
    """)


def test_loop_that_asks_only_once_by_a_flag():
    z = check("""
    def f(xs):
        asked = False
        for x in xs:
            if not asked:
                a()                  # zone
                interrupt(x)         # pause
                asked = True
            b()                      # after
    """)
    assert z.loops(z.pauses[0]) is None


def test_condition_that_a_loop_does_not_change():
    check("""
    def f(xs, auto):
        for x in xs:
            if auto:
                send(x)
            else:
                interrupt(x)         # pause
    """)


def test_ok_flag_of_a_try():
    check("""
    def f():
        try:
            a()                      # zone
            ok = True
        except ValueError:
            b()                      # zone
            ok = False
        if not ok:
            interrupt(1)             # pause
        if ok:
            c()
    """)


def test_order_of_numbers():
    check("""
    def f(x, limit):
        if x > limit:
            a()
        if x <= limit:
            interrupt(1)             # pause
        if limit < x:
            b()
        if limit >= x:
            c()                      # after
    """)


def test_calls_are_no_stable_facts():
    check("""
    def f():
        if ready():                  # zone
            a()                      # zone
        if not ready():              # zone
            interrupt(1)             # pause
    """)


def test_text_methods_are_stable():
    check("""
    def f(x):
        if x.strip().lower() == "auto": # zone
            a()
        if x.strip().lower() == "ask": # zone
            interrupt(1)             # pause
    """)


def test_nonlocal_changed_by_a_call():
    check("""
    def f():
        ready = False
        def set_():
            nonlocal ready
            ready = True
        set_()                       # zone
        if ready:
            interrupt(1)             # pause
    """)


def test_attribute_that_a_method_may_change():
    check("""
    def f(self):
        if self.ready:
            a()                      # zone
        self.reset()                 # zone
        if not self.ready:
            interrupt(1)             # pause
    """)


def test_too_many_independent_conditions_fall_back_to_plain_paths():
    tests = "".join(f"    if x{i}:\n        a{i}()  # zone\n" for i in range(40))
    again = "".join(f"    if x{i}:\n        b{i}()  # zone\n" for i in range(40))
    z = check(f"def f(x):\n{tests}{again}    interrupt(1)  # pause\n")
    assert len(z.cfg.paths().points) < 6_000


# --------------------------------------------------------------------------- positions
def test_index_range_counts_pauses_before():
    z = check("""
    def f(x):
        if x:
            interrupt(1)             # pause
        interrupt(2)                 # pause
        if x:
            interrupt(3)             # pause
    """)
    one, two, three = z.pauses
    assert [index_range(z, p) for p in z.pauses] == [(0, 0), (0, 1), (2, 2)]
    assert position_differs(z, two, one)
    assert not position_differs(z, three, one)
    assert z.later_pauses(one) == [two, three]


def test_exclusive_branches_with_one_pause_each_keep_the_position():
    z = check("""
    def f(x):
        if x:
            interrupt(1)             # pause
        else:
            interrupt(2)             # pause
        interrupt(3)                 # pause
    """)
    one, two, three = z.pauses
    assert index_range(z, three) == (1, 1)
    assert not position_differs(z, three, one) and not position_differs(z, three, two)
    assert z.later_pauses(one) == [three]


def test_position_differs_only_because_of_the_pause_that_is_skipped():
    z = check("""
    def f(x, y):
        if x:
            interrupt(1)             # pause
        else:
            interrupt(2)             # pause
        if y:
            interrupt(3)             # pause
        interrupt(4)                 # pause
    """)
    one, two, three, four = z.pauses
    assert position_differs(z, four, three)
    assert not position_differs(z, four, one) and not position_differs(z, four, two)


def test_early_return_does_not_move_a_later_pause():
    z = check("""
    def f(x):
        if x:
            return
        interrupt(1)                 # pause
        interrupt(2)                 # pause
    """)
    assert not position_differs(z, z.pauses[1], z.pauses[0])


def test_pause_in_a_loop_makes_later_positions_unbounded():
    z = check("""
    def f(xs):
        for x in xs:
            interrupt(x)             # pause
        interrupt(1)                 # pause
    """)
    assert index_range(z, z.pauses[1]) == (0, None)
    assert position_differs(z, z.pauses[1], z.pauses[0])


def test_an_exception_of_a_call_on_the_way_moves_no_position():
    z = check("""
    def f():
        try:
            log()                    # zone
            interrupt(1)             # pause
        except ValueError:
            a()                      # zone
        interrupt(2)                 # pause
    """)
    assert index_range(z, z.pauses[1]) == (1, 1)
    assert not position_differs(z, z.pauses[1], z.pauses[0])


def test_a_pause_in_a_handler_moves_later_positions():
    z = check("""
    def f():
        try:
            fetch()                  # zone
        except ValueError:
            interrupt(1)             # pause
        interrupt(2)                 # pause
    """)
    assert index_range(z, z.pauses[1]) == (0, 1)
    assert position_differs(z, z.pauses[1], z.pauses[0])


def test_pause_after_is_the_nearest_in_the_text():
    z = check("""
    def f(xs):
        a()                          # zone
        for x in xs:
            b()                      # zone after
            interrupt(1)             # pause
            c()                      # zone after
            interrupt(2)             # pause
            d()                      # zone after
    """)
    one, two = z.pauses
    after = {name: z.pause_after(point(z.cfg, f"{name}()")) for name in "abcd"}
    assert after == {"a": one, "b": one, "c": two, "d": one}


def test_contains_without_its_own_exception():
    z = check("""
    def f():
        try:
            a()                      # zone
            b()                      # zone
        except ValueError:
            interrupt(1)             # pause
    """)
    assert z.contains(point(z.cfg, "a()"), raised=False)
    assert not z.contains(point(z.cfg, "b()"), raised=False)


def test_the_await_of_a_pause_belongs_to_the_pause():
    for wait in ("await interrupt(1)", "await asyncio.wait_for(interrupt(1), 5)", "await asyncio.gather(interrupt(1))"):
        source = f"""
    async def f():
        try:
            {wait}                   # pause after
        except Exception:
            a()
            return
        b()                          # after
    """
        check(source if "asyncio" in wait else source.replace("pause after", "pause"))
