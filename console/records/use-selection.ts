import { useMemo, useState } from 'react';
import type { ListedRecord } from '../api/types.js';

export interface Selection {
  readonly records: ReadonlyMap<string, ListedRecord>;
  readonly toggle: (records: readonly ListedRecord[], isSelected: boolean) => void;
  readonly choose: (records: readonly ListedRecord[]) => void;
  readonly clear: () => void;
}

const NONE: ReadonlyMap<string, ListedRecord> = new Map();

/** Stored records that something is to be done to. */
export function useSelection(): Selection {
  const [records, setRecords] = useState(NONE);
  return useMemo(
    () => ({
      records,
      toggle: (some, isSelected) =>
        setRecords((before) => {
          const next = new Map(before);
          for (const record of some)
            if (isSelected) next.set(record.id, record);
            else next.delete(record.id);
          return next;
        }),
      choose: (some) => setRecords(new Map(some.map((record) => [record.id, record]))),
      clear: () => setRecords(NONE),
    }),
    [records],
  );
}
