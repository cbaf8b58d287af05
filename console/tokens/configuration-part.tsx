import { Fragment, useId } from 'react';
import { Copied, hasClipboard, useCopying } from '../parts/copied.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import type { Part } from './setup.js';

/** A hundred host names are one line. */
const LONGEST_LINE = 100_000;

/** A file or commands, with a button that copies them. */
export function ConfigurationPart({ part }: { readonly part: Part }) {
  const { label, times, copy } = useCopying();
  const id = useId();
  const title = titleOf(part);
  return (
    <section aria-labelledby={id}>
      <div className="part-head">
        <h3 id={id}>{title}</h3>
        <Copied times={label === part.text ? times : 0} />
        <button
          type="button"
          disabled={!hasClipboard()}
          aria-label={words.access.copy(title)}
          onClick={() => copy(part.text)}
        >
          {words.common.copy}
        </button>
      </div>
      <pre className="line">
        <code>
          {part.text.split('\n').map((line, index) => (
            <Fragment key={index}>
              {index > 0 && '\n'}
              <ShownText text={line} longest={LONGEST_LINE} />
            </Fragment>
          ))}
        </code>
      </pre>
    </section>
  );
}

function titleOf({ file, isFragment }: Part): string {
  if (file === null) return words.access.commands;
  return isFragment === true ? words.access.fragment(file) : file;
}
