/**
 * Answers a prompt that holds an arithmetic expression by computing the longest one in it; says so when there is none.
 * A recursive descent over the expression's characters: evaluating text from the network as code would be no sample.
 */
export function calculate(prompt: string): string {
  const candidates = prompt.match(/[-(\d.][\d\s.+\-*/×÷^()−,]*[\d)]/g) ?? [];
  let best: { text: string; value: number } | undefined;
  for (const text of candidates) {
    if (!/\d\s*[-+*/×÷^−]\s*[-(\d]/.test(text)) continue;
    const value = evaluate(text);
    if (value !== undefined && text.length > (best?.text.length ?? 0)) best = { text, value };
  }
  if (best === undefined) return "I only compute, and I see no expression here.";
  return `${best.text.trim()} = ${round(best.value)}\n\nAnswer: ${round(best.value)}`;
}

function round(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** Sums of products of powers of signed numbers and parentheses; undefined when the text is no expression. */
function evaluate(text: string): number | undefined {
  const source = text.replace(/[\s,]/g, "").replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
  let at = 0;
  const take = (...signs: string[]) => (signs.includes(source[at] ?? "") ? source[at++] : undefined);

  function sum(): number {
    let value = product();
    for (let sign = take("+", "-"); sign !== undefined; sign = take("+", "-")) {
      value = sign === "+" ? value + product() : value - product();
    }
    return value;
  }
  function product(): number {
    let value = power();
    for (let sign = take("*", "/"); sign !== undefined; sign = take("*", "/")) {
      value = sign === "*" ? value * power() : value / power();
    }
    return value;
  }
  function power(): number {
    const base = operand();
    return take("^") === undefined ? base : base ** power();
  }
  function operand(): number {
    if (take("-") !== undefined) return -operand();
    if (take("(") !== undefined) {
      const value = sum();
      return take(")") === undefined ? Number.NaN : value;
    }
    const digits = /^\d+(\.\d+)?/.exec(source.slice(at))?.[0];
    at += digits?.length ?? 0;
    return digits === undefined ? Number.NaN : Number(digits);
  }

  const value = sum();
  return at === source.length && Number.isFinite(value) ? value : undefined;
}
