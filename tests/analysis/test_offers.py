"""Words of rejection that a question offers and the code does not know: they are named in the message, and make it an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import check_source

HEAD = "from langchain_openai import ChatOpenAI\nfrom langgraph.types import Command, interrupt\nllm = ChatOpenAI()\n"
CHAT = """
def chat(state):
    answer = interrupt({question})
    if answer == "no":
        return {{"messages": "Not approved."}}
    return {{"messages": [llm.invoke(state["messages"])]}}
"""


def found(question: str, more: str = "") -> list:
    return [f for f in check_source(HEAD + CHAT.format(question=question) + more).findings if f.code == "HIL605"]


@pytest.mark.parametrize("question, word", [
    ('"Approve? (y/n)"', "'n'"),
    ('"Approve? (yes/No)"', "'No'"),
    ('"approve or decline?"', "'decline'"),
    ('{"ask": "Approve it", "options": ["approve", "reject"]}', "'reject'"),
    ('f"Do you approve {state[\'plan\']}? [Yes | N]"', "'N'"),
])
def test_offered_word_that_goes_through_is_named(question: str, word: str) -> None:
    (f,) = found(question)
    assert f"{word}, which the question offers, passes" in f.message
    assert f.severity.name == "ERROR"


@pytest.mark.parametrize("question", ['"Approve? (yes/no)"', '"Is it approved?"', '{"ask": "Approve it", "options": ["approve", "no"]}'])
def test_nothing_else_is_offered(question: str) -> None:
    (f,) = found(question)
    assert "a typo or an unexpected answer passes" in f.message
    assert f.severity.name == "WARNING"


def test_offered_at_the_keyboard(tmp_path: Path) -> None:
    (f,) = found('"Approve?"', "def run(graph, config):\n    text = input('Approve? (y/n): ')\n    graph.invoke(Command(resume=text.strip()), config)\n")
    assert "'n', which the question offers" in f.message
    assert not any("which the question offers" in f.message for f in found(
        '"Approve?"', "def run(graph, config):\n    text = input('Approve? (YES/NO): ')\n    graph.invoke(Command(resume=text.lower()), config)\n"))
