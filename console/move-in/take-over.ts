import { ask } from '../api/client.js';
import type { ListedRecord, RecordList, StoredRecord } from '../api/types.js';
import { draftOf, type Entry } from '../changes/pending.js';

/** A record set as a name server answers it. */
export interface AnsweredSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: readonly string[];
}

const PRIORITY = /^(\d{1,5}) (.+)$/s;
/** Types whose records have their priority apart from the data. */
const WITH_PRIORITY = new Set(['MX', 'SRV']);

interface Zone {
  /** The TTL of records without one of their own. */
  readonly ttl: number;
}

/**
 * The changes that make a record set of the zone that of the old name servers, which may have an alias there.
 * @param set `null`: the old name servers have no such records
 * @param stored the record set of the zone
 */
export function entriesFor(
  set: AnsweredSet | null,
  stored: readonly StoredRecord[],
  zone: Zone,
  newKey: () => string,
): Entry[] {
  const wanted = set?.data.map((text) => partsOf(set.type, text)) ?? [];
  const ttl = set === null || set.ttl === zone.ttl ? null : set.ttl;
  const entries: Entry[] = stored
    .filter((record) => !wanted.some((one) => isSame(one, record)))
    .map((before) => ({ key: before.id, action: 'delete', before }));
  for (const one of wanted) {
    const before = stored.find((record) => isSame(one, record));
    if (before === undefined) {
      const record = { ...one, name: set?.name ?? '', ttl, description: null };
      entries.push({ key: newKey(), action: 'create', record });
    } else if ((before.ttl ?? zone.ttl) !== set?.ttl) {
      entries.push({ key: before.id, action: 'update', before, record: { ...draftOf(before), ttl } });
    }
  }
  return entries;
}

interface Parts {
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
}

function partsOf(type: string, text: string): Parts {
  const [, priority, data] = (WITH_PRIORITY.has(type) ? PRIORITY.exec(text) : null) ?? [];
  return priority === undefined || data === undefined
    ? { type, data: text, priority: null }
    : { type, data, priority: Number(priority) };
}

/** Host names differ in case only, which does not matter. */
const isSame = ({ type, data, priority }: Parts, record: StoredRecord): boolean =>
  type === record.type && priority === record.priority && data.toLowerCase() === record.data.toLowerCase();

export async function storedSet(zoneId: string, name: string, type: string): Promise<readonly ListedRecord[]> {
  const query = new URLSearchParams({ name, type, fields: 'true', limit: '1000' });
  return (await ask<RecordList>(`/v1/domains/${zoneId}/records?${query.toString()}`)).body.records;
}
