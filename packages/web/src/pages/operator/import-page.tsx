import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type DragEvent, useState } from "react";
import { type Answer, post, postFile } from "../../api/call.ts";
import { bytes } from "../../time.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";

type Preview = Answer<"/api/admin/prompts", "post">;
/** A file as it was when it was chosen: what is imported is what was looked through, though it may be saved again. */
interface Chosen {
  name: string;
  size: number;
  bytes: Blob;
}
const MOST_BYTES = 32 * 1024 * 1024;
const EXAMPLE = `{"external_id": "river-1", "prompt": "Which river is the longest?", "category": "knowledge", "check": {"kind": "contains", "any": ["Nile", "Amazon"]}}
{"external_id": "sum-1", "prompt": "What is 17 + 25?", "category": "math", "check": {"kind": "number", "value": 42}}
{"prompt": "Write a short notice for a library.", "category": "writing", "deadline_seconds": 120}`;

/** A file of prompts: looked through first, and stored by a press that says how many. */
export function ImportPage() {
  const [kind, setKind] = useState<"main" | "gym">("main");
  const [file, setFile] = useState<Chosen>();
  const [tooLarge, setTooLarge] = useState<string>();
  const { notice, say } = useDone();
  const preview = useMutation({
    mutationFn: (chosen: Chosen) => postFile("/api/admin/prompts", { query: { preview: "true", kind } }, chosen.bytes),
  });
  const add = useMutation({
    mutationFn: (chosen: Chosen) => postFile("/api/admin/prompts", { query: { kind } }, chosen.bytes),
    onSuccess: (done, chosen) => {
      setFile(undefined);
      preview.reset();
      const { ids = [] } = done;
      return say({
        text: `${counted(done.added)} of ${chosen.name} ${done.added === 1 ? "is" : "are"} in the pool.`,
        undo:
          ids.length === 0 || ids.length < done.added
            ? undefined
            : {
                name: "Take them out again",
                run: () => post("/api/admin/prompts/retire", {}, { ids, retired: true }),
                said: `${counted(done.added)} ${done.added === 1 ? "is" : "are"} retired: nobody gets them.`,
              },
      });
    },
  });
  async function choose(given: File | undefined) {
    if (given === undefined) return;
    preview.reset();
    add.reset();
    setTooLarge(undefined);
    if (given.size > MOST_BYTES) {
      setFile(undefined);
      setTooLarge(`${given.name} has ${bytes(given.size)}; an arena takes 32 MiB at a time. Split the file.`);
      return;
    }
    const chosen = { name: given.name, size: given.size, bytes: new Blob([await given.arrayBuffer()]) };
    setFile(chosen);
    preview.mutate(chosen);
  }
  return (
    <Desk
      title="Import prompts"
      over={
        <Link to="/operator/prompts" className="link">
          Prompts
        </Link>
      }
      intro="Choose a file. It is looked through first; nothing is stored before you say so."
    >
      {notice}
      <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] gap-x-12 gap-y-10">
        <div className="grid gap-6 content-start min-w-0">
          <FilePlace onFile={(given) => void choose(given)} name={file?.name} />
          <fieldset className="flex flex-wrap gap-x-6 gap-y-2 text-14">
            <legend className="sr-only">Which pool</legend>
            {(
              [
                ["main", "for the ladder"],
                ["gym", "for the gym: what new agents practise on"],
              ] as const
            ).map(([value, words]) => (
              <label key={value} className="flex items-center gap-2">
                <input
                  type="radio"
                  name="kind"
                  value={value}
                  checked={kind === value}
                  onChange={() => setKind(value)}
                  className="accent-(--ink)"
                />
                {words}
              </label>
            ))}
          </fieldset>
          {tooLarge && (
            <Notice tone="bad" word="Too large">
              {tooLarge}
            </Notice>
          )}
          {preview.isPending && <SkeletonText lines={5} />}
          {preview.error && <ProblemNotice error={preview.error} />}
          {preview.data && file && (
            <Found
              preview={preview.data}
              file={file}
              busy={add.isPending}
              error={add.error}
              onAdd={() => add.mutate(file)}
              onDrop={() => {
                setFile(undefined);
                preview.reset();
              }}
            />
          )}
        </div>
        <aside className="min-w-0 grid grid-cols-[minmax(0,1fr)] gap-4 content-start text-14 text-ink-2">
          <h2 className="text-16">How a file looks</h2>
          <p>
            One JSON object a line, or one JSON array. <code className="font-mono">prompt</code> and{" "}
            <code className="font-mono">category</code> are needed. With an{" "}
            <code className="font-mono">external_id</code> a file can be imported again: what is there is skipped.
          </p>
          <CodeBlock code={EXAMPLE} name="Example" />
          <p>
            Other formats, such as MT-Bench or GSM8K: <code className="font-mono">agon prompts import --help</code>.
          </p>
        </aside>
      </div>
    </Desk>
  );
}

const counted = (count: number) => `${count} prompt${count === 1 ? "" : "s"}`;

function FilePlace({ onFile, name }: { onFile: (file: File | undefined) => void; name: string | undefined }) {
  const [isOver, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the field within takes the keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "border border-dashed rounded-md px-6 py-8 text-center grid gap-2 justify-items-center",
        isOver ? "border-ink bg-sunk" : "border-edge",
      )}
    >
      {name !== undefined && <p className="font-mono text-14 [overflow-wrap:anywhere]">{name}</p>}
      <label className="inline-flex items-center h-10 px-4 border border-edge rounded-md bg-sheet text-14 font-semibold cursor-pointer hover:border-ink has-[:focus-visible]:outline-2 outline-ink outline-offset-2">
        {name === undefined ? "Choose a file with prompts" : "Choose another file"}
        <input
          type="file"
          accept=".jsonl,.ndjson,.json,.txt,application/json"
          onChange={(event) => {
            onFile(event.target.files?.[0]);
            // The same file, mended, is a choice again.
            event.target.value = "";
          }}
          className="sr-only"
        />
      </label>
      <p className="text-14 text-ink-3">.jsonl or .json, 32 MiB at most. It may be dropped here.</p>
    </div>
  );
}

function Found({
  preview,
  file,
  busy,
  error,
  onAdd,
  onDrop,
}: {
  preview: Preview;
  file: Chosen;
  busy: boolean;
  error: unknown;
  onAdd: () => void;
  onDrop: () => void;
}) {
  const { added, skipped, broken = 0, faults = [], repeated = 0, categories = [] } = preview;
  const isGood = broken === 0 && added > 0;
  return (
    <Section title={file.name} aside={bytes(file.size)}>
      <div className="grid gap-5 [&>*]:min-w-0">
        <Facts
          items={[
            [
              "New",
              <b key="new" className="font-mono">
                {added}
              </b>,
            ],
            [
              "There already",
              <span key="known" className="font-mono">
                {skipped}
              </span>,
            ],
            [
              "Broken",
              <b key="broken" className={cx("font-mono", broken > 0 && "text-bad")}>
                {broken}
              </b>,
            ],
          ]}
        />
        {broken > 0 && (
          <div className="grid gap-3">
            <Notice tone="bad" word="Not a file of prompts yet">
              Nothing is stored. Mend {broken === 1 ? "this place" : "these places"} and choose the file again: a file
              goes in whole or not at all.
            </Notice>
            <ol
              className="text-14 max-h-80 overflow-y-auto border-t border-line"
              tabIndex={0}
              aria-label="What is broken"
            >
              {faults.map((fault) => (
                <li
                  key={fault.place}
                  className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 py-1.5 border-b border-line"
                >
                  <span className="font-mono">{fault.place}</span>
                  <span className="[overflow-wrap:anywhere]">{fault.detail}</span>
                </li>
              ))}
            </ol>
            {broken > faults.length && <p className="text-14 text-ink-3">And {broken - faults.length} more.</p>}
          </div>
        )}
        {broken === 0 && added === 0 && (
          <Notice word="Nothing new">
            {preview.received === 0 ? "The file holds no prompts." : "Every prompt of this file is there already."}
          </Notice>
        )}
        {broken === 0 && repeated > 0 && (
          <Notice tone="warn" word="Twice">
            {repeated === 1 ? "1 prompt has" : `${repeated} prompts have`} no external_id and the text of another one.
            They would be there twice.
          </Notice>
        )}
        {categories.length > 0 && broken === 0 && (
          <table className="text-14 w-full max-w-[28rem]">
            <thead>
              <tr className="border-b border-line text-ink-2">
                <th scope="col" className="text-left font-semibold py-1.5">
                  Category
                </th>
                <th scope="col" className="text-right font-semibold">
                  New
                </th>
                <th scope="col" className="text-right font-semibold">
                  With a check
                </th>
              </tr>
            </thead>
            <tbody>
              {categories.map((each) => (
                <tr key={each.category} className="border-b border-line">
                  <td className="py-1.5 [overflow-wrap:anywhere]">{each.category}</td>
                  <td className="text-right font-mono">{each.prompts}</td>
                  <td className="text-right font-mono text-ink-3">{each.checked}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {error !== null && <ProblemNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          {isGood && (
            <Button look="main" onClick={onAdd} busy={busy && "Importing…"}>
              Import {counted(added)}
            </Button>
          )}
          <Button onClick={onDrop} disabled={busy}>
            Leave it
          </Button>
          {!isGood && broken === 0 && <ButtonLink to="/operator/prompts">To the prompts</ButtonLink>}
        </div>
      </div>
    </Section>
  );
}
