import { useEffect, useRef, useState } from 'react';
import { useSteady } from '../parts/use-steady.js';

interface Sizes {
  readonly measure: () => void;
  readonly resizeItem: (index: number, size: number) => void;
}

/** The row that shows all of its data, and is higher than the others. */
export function useExpandedRow(rows: Sizes, rowHeight: number) {
  const [key, setKey] = useState<string | null>(null);
  /** The row that has its own height. */
  const high = useRef<number | null>(null);
  useEffect(() => {
    high.current = null;
    setKey(null);
    rows.measure();
  }, [rows, rowHeight]);
  useEffect(() => {
    if (key !== null || high.current === null) return;
    rows.resizeItem(high.current, rowHeight);
    high.current = null;
  }, [key, rows, rowHeight]);
  const measure = useSteady((index: number, height: number) => {
    if (high.current !== null && high.current !== index) rows.resizeItem(high.current, rowHeight);
    high.current = index;
    rows.resizeItem(index, height);
  });
  return {
    key,
    measure,
    collapse: () => setKey(null),
    toggle: (one: string | null) => setKey((before) => (before === one ? null : one)),
  };
}
