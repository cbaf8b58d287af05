import { useEffect, useState } from 'react';
import { useStatus } from '../frame/status.js';
import { hasClipboard } from '../parts/copied.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/index.js';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly tabIndex: number;
  readonly hasIcon: boolean;
}

const SHOWN_MILLISECONDS = 1500;

/** Copies the data of a record, and confirms it in place. */
export function CopyValue({ label, text, tabIndex, hasIcon }: Props) {
  const status = useStatus();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!hasClipboard()) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    status.show({ content: words.common.copied });
  };
  return (
    <button
      type="button"
      className="icon-button copy-value"
      tabIndex={tabIndex}
      aria-label={label}
      title={words.records.copyValueShort}
      onClick={() => void copy().catch(() => {})}
    >
      {hasIcon && <Icon name={isCopied ? 'done' : 'copy'} />}
    </button>
  );
}
