import { RE2JS } from "re2js";

/** Room for any honest pattern; a match costs at most this many steps a character. */
const MAX_PROGRAM_SIZE = 2_000;
const FLAGS: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // Always on in this engine; accepted because people write it.
  u: 0,
};

/**
 * Compiles a pattern for an engine without backtracking: the built-in one can be made to run for years by an answer
 * that its pattern nearly matches. The price is no look-around and no back-references; both are refused by name.
 */
export function compilePattern(pattern: string, flags = ""): RE2JS {
  const bits = [...flags].reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
  const compiled = RE2JS.compile(pattern, bits);
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new Error("the pattern is too large: its repetitions multiply");
  return compiled;
}
