import { Link } from 'wouter';
import { words } from '../words/index.js';
import { ShownText } from './shown-text.js';
import './labels.css';

export type Labels = Readonly<Record<string, string>>;

/** `key=value`, or the key alone where the value is empty. */
export const textOf = ([key, value]: readonly [string, string]): string => (value === '' ? key : `${key}=${value}`);

/** Leads to the zones with the same label. */
export function ZoneLabels({ labels = {} }: { readonly labels: Labels | undefined }) {
  const texts = Object.entries(labels).map(textOf);
  if (texts.length === 0) return null;
  return (
    <span className="labels">
      {texts.map((text) => (
        <Link
          key={text}
          href={`/zones?${new URLSearchParams({ label: text }).toString()}`}
          className="badge"
          aria-label={words.zones.withLabel(text)}
        >
          <ShownText text={text} />
        </Link>
      ))}
    </span>
  );
}
