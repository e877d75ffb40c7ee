import { cx } from "../../ui/class-names.ts";

export const ROLES = ["SCOUT", "BUILDER", "ANALYST"] as const;
export type Role = (typeof ROLES)[number];
const ABOUT: Record<Role, string> = {
  SCOUT: "finds candidates for a goal",
  BUILDER: "plans a candidate",
  ANALYST: "weighs evidence and criticises",
};

/** Which roles it takes in runs. */
export function RoleChoice({ roles, onChange }: { roles: readonly Role[]; onChange: (roles: Role[]) => void }) {
  return (
    <fieldset>
      <legend className="text-14 font-semibold mb-1">Its roles in runs</legend>
      <div className="grid sm:grid-cols-3 gap-3">
        {ROLES.map((role) => {
          const isChosen = roles.includes(role);
          return (
            <label
              key={role}
              className="relative border-2 border-line rounded-md px-4 py-3 bg-sheet has-[:checked]:border-ink has-[:focus-visible]:outline-2 outline-ink outline-offset-2 cursor-pointer grid gap-0.5"
            >
              <input
                type="checkbox"
                className="absolute opacity-0 inset-0"
                checked={isChosen}
                onChange={() => onChange(ROLES.filter((each) => (each === role ? !isChosen : roles.includes(each))))}
              />
              <span className="flex items-center gap-2 text-14 font-semibold font-mono">
                <span
                  aria-hidden="true"
                  className={cx("size-4 rounded-sm border-2 border-ink", isChosen && "bg-marker")}
                />
                {role}
              </span>
              <span className="text-14 text-ink-2">{ABOUT[role]}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
