import { type Labels, textOf } from './labels.js';
import { ShownText } from './shown-text.js';

/** One label in each line, as `labelsIn` reads them. */
export const labelLines = (labels: Labels = {}): string => Object.entries(labels).map(textOf).join('\n');

export function labelsIn(lines: string): Labels {
  const entries = lines.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    entries.flatMap((entry): [string, string][] => {
      const [, key, value = ''] = /^([^=]*)=?(.*)$/.exec(entry) ?? [];
      return entry === '' || key === undefined ? [] : [[key, value]];
    }),
  );
}

export function ShownLabels({ labels }: { readonly labels: Labels }) {
  return (
    <span className="labels">
      {Object.entries(labels).map((entry) => (
        <span key={entry[0]} className="badge">
          <ShownText text={textOf(entry)} />
        </span>
      ))}
    </span>
  );
}
