/**
 * Broken agents are slowed, not drained: each failure in a row doubles the pause before the next gym or main task, one
 * good answer ends it. As SQL over an agent's row `a`: the columns to set after one more failure. `now`, `firstSeconds`
 * and `maxSeconds` are parameters; a first pause of 0 switches pauses off.
 */
export function slowdownSql(now: string, firstSeconds: string, maxSeconds: string, cause: string): string {
  // 2^20 first pauses are beyond any longest pause; without the bound the power would overflow after years of failing.
  const pause = `least(${maxSeconds}::float8, ${firstSeconds}::float8 * power(2, least(a.fault_streak, 20)))`;
  return `fault_streak = a.fault_streak + 1,
    slowed_until = case when ${firstSeconds}::float8 > 0 then ${now}::timestamptz + make_interval(secs => ${pause}) end,
    slowed_cause = ${cause}`;
}
