/** Stands where rows will come, as high as they will be. */
export function SkeletonRows({ rows, height = 40 }: { rows: number; height?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="border-b border-line flex items-center" style={{ height }}>
          <span className="skeleton h-3" style={{ width: `${70 - ((index * 17) % 40)}%` }} />
        </div>
      ))}
    </div>
  );
}

export function SkeletonText({ lines }: { lines: number }) {
  return (
    <div role="status" aria-label="Loading" className="space-y-3 py-2">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="skeleton h-3" style={{ width: `${96 - ((index * 23) % 45)}%` }} />
      ))}
    </div>
  );
}
