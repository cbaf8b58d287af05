import { words } from '../words/index.js';

/** Stands where rows will be, as high as they will be. */
export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div className="skeleton">
      <span className="visually-hidden">{words.common.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton-row" aria-hidden="true" />
      ))}
    </div>
  );
}
