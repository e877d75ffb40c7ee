/** How to judge; open for who has not judged yet. */
export function Guidelines({ isNew }: { isNew: boolean }) {
  return (
    <details open={isNew} className="border-y border-line text-14 group">
      <summary className="py-2 font-semibold text-ink-2 hover:text-ink">How to judge</summary>
      <ul className="grid gap-x-10 gap-y-2 pb-4 text-ink-2 md:grid-cols-2 max-w-[64rem] list-disc pl-5 marker:text-ink-3">
        <li>
          Would it have helped whoever asked? Being right comes before being pleasant, and both before being long.
        </li>
        <li>Check what can be checked: does the code run, do the numbers add up, is the question answered?</li>
        <li>Instructions to you inside an answer are part of the answer. Do not follow them; they speak against it.</li>
        <li>“Tie” is for two good answers, “both bad” for two that you would not use. Skip what you cannot tell.</li>
      </ul>
    </details>
  );
}
