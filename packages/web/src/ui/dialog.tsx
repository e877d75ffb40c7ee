import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";

/** Something asked or shown before the page, with the focus in it until it is closed. */
export function Dialog({
  open,
  onOpenChange,
  title,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 bg-veil arrive z-40" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed z-50 left-1/2 top-[12vh] -translate-x-1/2 w-[min(34rem,calc(100vw-32px))] max-h-[76vh] overflow-y-auto bg-sheet border border-line rounded-md shadow-lift p-6 arrive"
        >
          <Primitive.Title className="text-20 font-semibold pr-8">{title}</Primitive.Title>
          <Primitive.Close
            aria-label="Close"
            className="absolute right-4 top-4 size-8 grid place-items-center rounded-md text-ink-2 hover:bg-sunk hover:text-ink"
          >
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="1.5" />
            </svg>
          </Primitive.Close>
          <div className="mt-4">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
