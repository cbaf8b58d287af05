import { useState } from 'react';
import { words } from '../words/index.js';

interface Props {
  /** How often something was copied here. */
  readonly times: number;
  readonly text?: string;
  readonly isHidden?: boolean;
}

/** Says that something was copied, each time anew. Screen readers need the element before its first text. */
export const Copied = ({ times, text = words.common.copied, isHidden = false }: Props) => (
  <span role="status" className={isHidden ? 'visually-hidden' : undefined}>
    {times > 0 && <span key={times}>{text}</span>}
  </span>
);

/** Browsers have a clipboard for pages of HTTPS and of this machine alone. */
export const hasClipboard = (): boolean => 'clipboard' in navigator;

/** The label of the last copied text, and the number of copies. */
export function useCopying() {
  const [last, setLast] = useState({ label: '', times: 0 });
  const write = async (text: string, label: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setLast(({ times }) => ({ label, times: times + 1 }));
  };
  // Without permission nothing is copied, and nothing says that it was.
  return { ...last, copy: (text: string, label = text): void => void write(text, label).catch(() => {}) };
}
