import { Fragment, useId, useState } from 'react';
import { Copied } from '../parts/copied.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import type { Part } from './setup.js';

/** A hundred host names are one line. */
const LONGEST_LINE = 100_000;

/** A file or commands, with a button that copies them. */
export function ConfigurationPart({ part }: { readonly part: Part }) {
  const [copied, setCopied] = useState({ text: '', times: 0 });
  const id = useId();
  const title = titleOf(part);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(part.text);
    setCopied(({ times }) => ({ text: part.text, times: times + 1 }));
  };
  return (
    <section aria-labelledby={id}>
      <div className="part-head">
        <h3 id={id}>{title}</h3>
        <Copied times={copied.text === part.text ? copied.times : 0} />
        {/* Browsers provide a clipboard to pages over HTTPS and of this machine only. */}
        <button
          type="button"
          disabled={!('clipboard' in navigator)}
          aria-label={words.access.copy(title)}
          onClick={() => void copy().catch(() => {})}
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
