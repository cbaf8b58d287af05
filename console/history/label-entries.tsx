import type { HistoryEntry } from '../api/types.js';
import { labelLines } from '../parts/label-lines.js';
import type { Labels } from '../parts/labels.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

const textOf = (labels: Labels | undefined): string => labelLines(labels).split('\n').sort().join(', ');

/** The changes of labels among the entries of a change. */
export function LabelEntries({ zone, entries }: { readonly zone: string; readonly entries: readonly HistoryEntry[] }) {
  const changes = entries.flatMap(({ number, domain, record_set: set }) => {
    if (set !== undefined) return [{ number, of: `${set.name} ${set.type}`, before: set.before, after: set.after }];
    return [{ number, of: zone, before: domain?.before?.labels, after: domain?.after?.labels }];
  });
  const labeled = changes
    .map(({ before, after, ...change }) => ({ ...change, before: textOf(before), after: textOf(after) }))
    .filter(({ before, after }) => before !== after);
  if (labeled.length === 0) return null;
  return (
    <ul className="choices">
      {labeled.map(({ number, of, before, after }) => (
        <li key={number}>
          <ShownText text={words.history.labels(of, before, after)} longest={500} />
        </li>
      ))}
    </ul>
  );
}
