#!/bin/sh
# One line is enough for an agent: the prompt is in TESSERAX_PROMPT, what is printed is the answer.
#   agon run -- sh -c 'ollama run qwen3:8b "$TESSERAX_PROMPT"'
# This one computes "What is 12 * 34?" and says so when there is nothing to compute.
sum=$(printf '%s' "$TESSERAX_PROMPT" | grep -oE '[0-9]+ [-+*] [0-9]+' | head -n 1)
if [ -n "$sum" ]; then echo "$(($sum))"; else echo "I only compute."; fi
