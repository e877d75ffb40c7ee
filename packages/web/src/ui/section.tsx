import type { ReactNode } from "react";

export function Section({ title, children, aside }: { title: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <section className="min-w-0">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1 border-b border-ink pb-2 mb-3">
        <h2 className="text-20">{title}</h2>
        {aside && <div className="text-14 text-ink-3">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
