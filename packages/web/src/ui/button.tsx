import { Link, type LinkProps } from "@tanstack/react-router";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "./class-names.ts";

type Look = "main" | "plain" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  main: "bg-marker text-on-marker border-on-marker/25 hover:border-on-marker",
  plain: "bg-sheet text-ink border-edge hover:border-ink",
  quiet: "border-transparent text-ink-2 hover:text-ink hover:bg-sunk",
  danger: "bg-sheet text-bad border-bad hover:bg-bad-soft",
};

const shape = (look: Look, small?: boolean) =>
  cx(
    "inline-flex items-center justify-center gap-2 border rounded-md font-semibold whitespace-nowrap transition-colors duration-150",
    small ? "h-8 px-3 text-14" : "h-10 px-4 text-14",
    "disabled:opacity-55 disabled:cursor-not-allowed",
    LOOKS[look],
  );

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  small?: boolean;
  /** What is said while it is at work; it cannot be pressed again meanwhile. */
  busy?: string | false | undefined;
}

export function Button({ look = "plain", small = false, busy, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(shape(look, small), className)}
      disabled={rest.disabled === true || Boolean(busy)}
      aria-busy={Boolean(busy)}
    >
      {busy || children}
    </button>
  );
}

interface ButtonLinkProps {
  to: LinkProps["to"];
  params?: Record<string, string>;
  search?: Record<string, unknown>;
  look?: Look;
  small?: boolean;
  children: ReactNode;
}

export function ButtonLink({ look = "plain", small = false, children, ...link }: ButtonLinkProps) {
  return (
    <Link {...(link as LinkProps)} className={shape(look, small)}>
      {children}
    </Link>
  );
}
