import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";

/** The id of a heading, by which an address can name it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** Brings what the address names into sight once it is there: it comes after the browser has looked for it. */
export function useAnchorTarget(isThere: boolean): void {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (!isThere || hash === "") return;
    document.getElementById(decodeURIComponent(hash))?.scrollIntoView();
  }, [hash, isThere]);
}
