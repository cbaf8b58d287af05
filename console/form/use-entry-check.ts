import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { isUnanswered } from '../api/errors.js';
import type { RecordType, RecordTypes, Zone } from '../api/types.js';
import type { Entry, RecordDraft } from '../changes/pending.js';
import { words } from '../words/index.js';
import { checkEntry, type Verdict } from './check-entry.js';
import {
  contentOf,
  descriptionsOf,
  entryOf,
  type FormContent,
  isUntouched,
  readContent,
  type ReadContent,
} from './form-content.js';
import type { FormStart } from './form-start.js';

interface Checked {
  readonly start: FormStart;
  readonly content: FormContent;
  readonly types: RecordTypes;
  readonly entries: readonly Entry[];
  readonly zone: Zone;
}

type Faults = Readonly<Record<string, string>>;

const PAUSE = 300;

/** Validates the form with the service: on leaving a control, and before adding. */
export function useEntryCheck({ start, content, types, entries, zone }: Checked) {
  const [verdict, setVerdict] = useState<{ readonly faults: Faults; readonly general: readonly string[] }>({
    faults: {},
    general: [],
  });
  const [isJudging, setJudging] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const touched = useRef(new Set<string>());
  const [blurs, setBlurs] = useState(0);
  const type = types.record_types.find(({ name }) => name === content.type);
  const read = readContent(content, type, zone.name);
  // The delayed check uses the form content of that time.
  const current = useRef({ read, entries });
  useEffect(() => {
    current.current = { read, entries };
  });

  useEffect(() => {
    if (blurs === 0) return undefined;
    const ended = new AbortController();
    const timer = setTimeout(() => {
      const { read: seen, entries: others } = current.current;
      void checked(zone.id, others, seen, start, key, ended.signal).then((found) => {
        if (found !== null && !ended.signal.aborted)
          setVerdict({ faults: only(found.faults, touched.current), general: found.general });
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [blurs, zone.id, start, key]);

  const formFaults = sentences(read.faults, type);
  return {
    faults: { ...verdict.faults, ...only(formFaults, touched.current) } as Faults &
      Partial<Record<'name' | 'ttl' | 'description' | 'expires_at', string>>,
    general: verdict.general,
    isJudging,
    blur: ({ target }: FocusEvent): void => {
      const name = target.getAttribute('name');
      if (name === null || !(target instanceof HTMLElement)) return;
      if ('value' in target && target.value === '') return;
      touched.current.add(name);
      setBlurs((n) => n + 1);
    },
    /** @returns the entry with the data as the service writes it; `null` where something has to be mended first */
    judge: async (): Promise<Entry | null> => {
      for (const name of namesOf(type)) touched.current.add(name);
      if (read.record === null) {
        setVerdict({ faults: formFaults, general: [] });
        return null;
      }
      const entry = entryOf(start, key, read.record);
      setJudging(true);
      try {
        const found = await checkEntry(zone.id, entries, entry);
        setVerdict(found);
        if (Object.keys(found.faults).length > 0) return null;
        return found.record === null ? entry : entryOf(start, key, asStored(read.record, found));
      } catch (error) {
        // The plan will show faults; an unresponsive service does not block the entry.
        if (isUnanswered(error)) return entry;
        setVerdict({ faults: {}, general: [error instanceof Error ? error.message : words.common.failed] });
        return null;
      } finally {
        setJudging(false);
      }
    },
    /** The data in its other form, fields or one text; both ways through the service. `null` where it refuses the data. */
    swapForm: async (): Promise<Partial<FormContent> | null> => {
      if (isUntouched(content, type)) return { isText: !content.isText };
      const found = read.record === null ? null : await checked(zone.id, [], read, start, key);
      const stored = found?.record ?? null;
      if (stored === null) {
        setVerdict({ faults: { ...formFaults, ...found?.faults }, general: found?.general ?? [] });
        for (const name of namesOf(type)) touched.current.add(name);
        return null;
      }
      const { fields, text, priority } = contentOf(stored, types, zone.name);
      return { isText: !content.isText, fields, text, priority };
    },
  };
}

/** `null`: incomplete form, or unresponsive service. */
async function checked(
  zoneId: string,
  others: readonly Entry[],
  read: ReadContent,
  start: FormStart,
  key: string,
  signal?: AbortSignal,
): Promise<Verdict | null> {
  if (read.record === null) return null;
  try {
    return await checkEntry(zoneId, others, entryOf(start, key, read.record), signal);
  } catch {
    return null;
  }
}

function asStored(record: RecordDraft, { record: stored }: Verdict): RecordDraft {
  return stored === null ? record : { ...record, data: stored.data };
}

/** The names of the controls. */
function namesOf(type: RecordType | undefined): string[] {
  return [
    'name',
    'ttl',
    'description',
    'expires_at',
    'data',
    'fields',
    ...descriptionsOf(type).map(({ name }) => `fields.${name}`),
  ];
}

/** Faults of controls. The service tells a fault of `fields.priority` as `priority`. */
function only(faults: Faults, names: ReadonlySet<string>): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => names.has(name) || names.has(`fields.${name}`)));
}

function sentences(faults: ReadContent['faults'], type: RecordType | undefined): Faults {
  const labels = new Map(descriptionsOf(type).map(({ name, label }) => [`fields.${name}`, label]));
  return Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => {
      const label = labels.get(name) ?? words.form.ttl;
      if (fault === 'not a duration') return [name, words.form.notDuration];
      return [name, fault === 'missing' ? words.form.missing(label.toLowerCase()) : words.form.notNumber(label)];
    }),
  );
}
