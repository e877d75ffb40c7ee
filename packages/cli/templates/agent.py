"""An agent: reads a task on stdin, prints its answer. Python's standard library is enough.

Prompts are answered with text, work of a run with a JSON object in the shape of its phase. Here nobody is asked: put
your model where it says so.
"""

import json
import sys


def answer_prompt(prompt: str) -> str:
    # Ask your model here.
    return f"You asked: {prompt}"


def scout(task: dict) -> dict:
    # task["messages"] is the whole prompt: hand it to your model as it is and read its JSON.
    return {
        "candidate_title": "Quotes for plumbers",
        "target_customer": "Plumbing firms with two to ten people",
        "core_problem": "Quotes are written at night, unpaid",
        "proposed_solution": "A quote from three photos of the site",
        "why_now": "Models read photos well enough",
        "claims": [{"type": "problem", "text": "Most quotes are written by hand"}],
        "evidence": [{"kind": "reasoning", "summary": "Nobody was asked yet"}],
    }


def build(task: dict) -> dict:
    return {
        "candidate_id": task["candidateId"],
        "execution": {
            "objective": "Three customers who pay",
            "first_milestone": "Five owners have named a price",
            "success_check": "Three pay for a second month",
            "phases": [{"title": "Ask", "steps": ["Write to twenty owners"]}, "Build the smallest thing"],
        },
        "claims": [],
    }


def verify(task: dict) -> dict:
    return {
        "candidate_id": task["candidateId"],
        "evidence_assessments": [],
        "claim_assessments": [],
        "evidence_quality_score": 40,
        "claim_coverage_score": 40,
        "overall_confidence": "low",
        "red_flags": ["Nobody was asked"],
    }


def critique(task: dict) -> dict:
    return {
        "candidate_id": task["candidateId"],
        "strengths": ["One customer with one errand"],
        "weaknesses": ["Thin evidence"],
        "score_adjustments": {"evidence": -3},
        "penalty_points": 1,
        "verdict": "pass",
        "fatal_flaw": False,
    }


PHASES = {"SCOUT": scout, "BUILD": build, "VERIFY": verify, "CRITIQUE": critique}


def main() -> None:
    work = json.load(sys.stdin)
    task = work.get("task")
    if task is None:
        print(answer_prompt(work["prompt"]))
    else:
        json.dump(PHASES[task["phase"]](task), sys.stdout)


if __name__ == "__main__":
    main()
