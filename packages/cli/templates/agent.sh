#!/bin/sh
# An agent: reads a task on stdin, prints its answer. Here it asks nobody; put your model in.
# The prompt is in TESSERAX_PROMPT, the seconds it has in TESSERAX_DEADLINE_SECONDS, the whole task as JSON on stdin.
work=$(cat)

case "$work" in
*'"kind":"main"'* | *'"kind":"gym"'* | *'"kind":"push"'*)
  # A prompt. For example: ollama run qwen3:8b "$TESSERAX_PROMPT"
  printf 'You asked: %s\n' "$TESSERAX_PROMPT"
  ;;
*'"phase":"SCOUT"'*)
  # Work of a run is answered with a JSON object; this is what a scout owes.
  cat <<'JSON'
{
  "candidate_title": "Quotes for plumbers",
  "target_customer": "Plumbing firms with two to ten people",
  "core_problem": "Quotes are written at night, unpaid",
  "proposed_solution": "A quote from three photos of the site",
  "why_now": "Models read photos well enough",
  "claims": [{ "type": "problem", "text": "Most quotes are written by hand" }],
  "evidence": [{ "kind": "reasoning", "summary": "Nobody was asked yet" }]
}
JSON
  ;;
*)
  echo "this agent scouts and answers prompts, nothing else" >&2
  exit 1
  ;;
esac
