import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { ApiProblem } from "../api/problem.ts";
import { cx } from "./class-names.ts";
import { sentence } from "./notice.tsx";

const BOX =
  "w-full bg-sheet border border-edge rounded-md px-3 text-16 hover:border-ink placeholder:text-ink-3 aria-invalid:border-bad";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  label: string;
  hint?: ReactNode;
  /** The arena's word on this field. */
  problem?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
  rows?: number;
}

/** A field with its name over it and what is wrong with it under it. */
export function Field({ label, hint, problem, value, onChange, mono = false, rows, ...rest }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  const shared = {
    id,
    value,
    "aria-invalid": problem !== undefined,
    "aria-describedby": hint || problem ? about : undefined,
    className: cx(BOX, mono && "font-mono text-14", rows === undefined ? "h-10" : "py-2"),
  };
  return (
    <div>
      <label htmlFor={id} className="block text-14 font-semibold mb-1">
        {label}
      </label>
      {rows === undefined ? (
        <input {...rest} {...shared} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          maxLength={rest.maxLength}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {(hint || problem) && (
        <p id={about} className={cx("text-14 mt-1", problem ? "text-bad" : "text-ink-3")}>
          {problem ? sentence(problem) : hint}
        </p>
      )}
    </div>
  );
}

/** What an error says of one field. */
export function fieldProblem(error: unknown, field: string): string | undefined {
  return error instanceof ApiProblem ? error.fields.find((each) => each.field === field)?.detail : undefined;
}

/** Whether an error is told at its fields already. */
export function isAtFields(error: unknown, fields: readonly string[]): boolean {
  return (
    error instanceof ApiProblem && error.fields.length > 0 && error.fields.every((each) => fields.includes(each.field))
  );
}
