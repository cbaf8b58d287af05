import { useEffect, useRef, useState } from 'react';
import { useSteady } from '../parts/use-steady.js';

/** Milliseconds after the last key. */
const KEEP_AFTER = 400;

/** A text that is kept when the user pauses, leaves the step or leaves the page. */
export function useKeptText(kept: string, keep: (text: string) => void) {
  const [text, setText] = useState(kept);
  const unkept = useRef<string | null>(null);
  const keepNow = useSteady(() => {
    const { current } = unkept;
    unkept.current = null;
    if (current !== null) keep(current);
  });
  useEffect(() => {
    const timer = setTimeout(keepNow, KEEP_AFTER);
    return () => clearTimeout(timer);
  }, [text, keepNow]);
  useEffect(() => {
    window.addEventListener('pagehide', keepNow);
    return () => {
      window.removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, [keepNow]);
  const change = (next: string): void => {
    unkept.current = next;
    setText(next);
  };
  /** Lets the owner decide what becomes of the text. */
  const release = (): void => void (unkept.current = null);
  return { text, change, release };
}
