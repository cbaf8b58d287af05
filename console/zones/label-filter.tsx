import { useSearchParams } from 'wouter';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

/** The labels that the address asks for; a press on one removes it. */
export function LabelFilter() {
  const [query, setQuery] = useSearchParams();
  const labels = query.getAll('label');
  if (labels.length === 0) return null;
  const remove = (label: string): void =>
    setQuery((before) => [...before].filter(([name, value]) => name !== 'label' || value !== label), { replace: true });
  return (
    <div role="group" aria-label={words.zones.byLabel} className="chips">
      {labels.map((label) => (
        <button key={label} type="button" className="chip" aria-pressed onClick={() => remove(label)}>
          <ShownText text={label} longest={100} />
        </button>
      ))}
    </div>
  );
}
