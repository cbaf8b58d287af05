import { readableOf } from './idn.js';
import { ShownText } from './shown-text.js';

/** Behind a name with A-labels: how people read it. */
export function Readable({ name }: { readonly name: string }) {
  const readable = readableOf(name);
  return readable === null ? null : (
    <span className="readable">
      {' '}
      (<ShownText text={readable} longest={300} />)
    </span>
  );
}
