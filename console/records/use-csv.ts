import { useEffect, useRef, useState } from 'react';
import { ask } from '../api/client.js';
import type { Zone } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { saveAs } from '../parts/save-as.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { CSV_HEAD, csvFileName, csvOf } from './csv.js';
import { LAST_OFFSET, listAt, type RecordSearch } from './use-record-pages.js';

/** The API gives no longer pages. */
const PORTION = 1000;

interface Progress {
  readonly done: number;
  /** `null`: not known. */
  readonly total: number | null;
}

interface Csv {
  /** `null` while no export is under way. */
  readonly progress: Progress | null;
  readonly save: () => void;
  readonly stop: () => void;
}

/** Saves the stored records that match, in the order of the table, as a CSV file. */
export function useCsv(search: RecordSearch): Csv {
  const { zone } = useOpenZone();
  const status = useStatus();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  const { csv } = words.records;

  const save = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total: 0 });
    try {
      const file = csvFileName(zone.name);
      const { parts, records, isLimited } = await read(zone.id, search, controller.signal, setProgress);
      const { body: after } = await ask<Zone>(`/v1/domains/${zone.id}`, { signal: controller.signal });
      saveAs(file, new Blob(parts, { type: 'text/csv' }));
      const saved = isLimited ? csv.limited(file, records) : csv.saved(file, records);
      status.show({ content: after.serial === zone.serial ? saved : csv.changed(file) });
    } catch (error) {
      const failure = error instanceof Error ? error.message : words.common.failed;
      status.show({ content: controller.signal.aborted ? csv.stopped : failure });
    } finally {
      setProgress(null);
    }
  };
  return { progress, save: () => void (progress === null && save()), stop };
}

interface ReadRecords {
  readonly parts: Blob[];
  readonly records: number;
  readonly isLimited: boolean;
}

/** Reads one portion after another. Blobs keep the text outside the memory of the page. */
async function read(
  zoneId: string,
  search: RecordSearch,
  signal: AbortSignal,
  tell: (progress: Progress) => void,
): Promise<ReadRecords> {
  const parts = [new Blob([CSV_HEAD])];
  let done = 0;
  let total: number | null = 0;
  for (;;) {
    const page = await listAt(zoneId, search, done, PORTION, signal);
    parts.push(new Blob([csvOf(page.records)]));
    done += page.records.length;
    if (page.count !== undefined) total = page.count.total_is_exact ? page.count.total : null;
    tell({ done, total });
    const isLast = page.records.length === 0 || page.links?.next === undefined;
    if (isLast || done > LAST_OFFSET) return { parts, records: done, isLimited: !isLast };
  }
}
