import { words } from '../words/index.js';

const ITEMS = 6;

/** Stands where the feed will be: a circle, a title and its facts for each change. */
export function FeedSkeleton() {
  return (
    <div className="skeleton">
      <span className="visually-hidden">{words.common.loading}</span>
      {Array.from({ length: ITEMS }, (_, item) => (
        <div key={item} className="skeleton-change" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
