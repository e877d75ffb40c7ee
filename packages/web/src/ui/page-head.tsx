import { type ReactNode, useEffect } from "react";

/** The name of the tab, as the arena writes it into the document. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · agon`;
  }, [title]);
}

export function PageHead({
  title,
  over,
  children,
  aside,
}: {
  title: ReactNode;
  over?: ReactNode;
  children?: ReactNode;
  aside?: ReactNode;
}) {
  return (
    <header className="pt-8 pb-6 sm:pt-10 flex flex-wrap gap-x-8 gap-y-4 items-end justify-between">
      <div className="min-w-0 max-w-full">
        {over && <div className="text-14 text-ink-3 mb-1">{over}</div>}
        <h1 className="text-28 sm:text-40">{title}</h1>
        {children && <div className="text-ink-2 mt-2 max-w-[72ch]">{children}</div>}
      </div>
      {aside}
    </header>
  );
}
