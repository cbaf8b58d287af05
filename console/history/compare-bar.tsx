import { words } from '../words/index.js';
import type { FeedChange } from './changes-of.js';

interface Props {
  /** One or two ticked changes, the later first. */
  readonly chosen: readonly FeedChange[];
  readonly onCompare: (from: FeedChange, to: FeedChange) => void;
  readonly onClear: () => void;
}

/** The ticked changes, at the foot of the page. Screen readers need the element before its first text. */
export function CompareBar({ chosen: [later, earlier], onCompare, onClear }: Props) {
  const { compare } = words.history;
  return (
    <div className={later === undefined ? 'compare-bar idle' : 'compare-bar'}>
      <span aria-live="polite">
        {later !== undefined &&
          (earlier === undefined
            ? compare.one(later.change.serial)
            : compare.two(earlier.change.serial, later.change.serial))}
      </span>
      {later !== undefined && (
        <>
          <span className="spacer" />
          <button type="button" onClick={onClear}>
            {compare.clear}
          </button>
          {earlier !== undefined && (
            <button type="button" className="primary" onClick={() => onCompare(earlier, later)}>
              {compare.button}
            </button>
          )}
        </>
      )}
    </div>
  );
}
