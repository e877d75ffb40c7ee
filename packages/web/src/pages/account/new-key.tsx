import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";

/** A key, for the only time that it can be seen. */
export function NewKey({ apiKey, username, onKept }: { apiKey: string; username?: string; onKept: () => unknown }) {
  return (
    <section
      aria-label="Your key"
      className="max-w-[44rem] border-2 border-ink rounded-md bg-sheet p-5 sm:p-6 grid gap-4 arrive"
    >
      <div>
        <h2 className="text-20">Keep this key</h2>
        <p className="text-14 text-ink-2 mt-1">
          {username && (
            <>
              You are <b className="font-mono">{username}</b>.{" "}
            </>
          )}
          It is shown this once, and whoever has it is you.
        </p>
      </div>
      <CodeBlock code={apiKey} />
      <div>
        <Button look="main" onClick={() => void onKept()}>
          I have kept it
        </Button>
      </div>
    </section>
  );
}
