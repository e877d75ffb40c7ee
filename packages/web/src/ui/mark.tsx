/** The mark: two wedges that face each other. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 44 44" width={size} height={size} aria-hidden="true">
      <rect width="44" height="44" rx="4" fill="var(--marker)" />
      <path d="M9 10l9 12-9 12M35 10l-9 12 9 12" fill="none" stroke="var(--on-marker)" strokeWidth="5" />
    </svg>
  );
}
