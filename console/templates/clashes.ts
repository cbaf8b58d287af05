import type { StoredRecord } from '../api/types.js';
import { type Base, type Entry, type Pending, type RecordDraft, withEntry, withoutEntry } from '../changes/pending.js';
import { type TemplateRecord, unquoted } from './templates.js';

/** A record of the zone as it would be with the pending changes. */
interface Present {
  /** The ID of a stored record, or the key of a new one. */
  readonly key: string;
  readonly shown: TemplateRecord;
  /** `null`: it is new. */
  readonly stored: StoredRecord | null;
}

/** The records of a template with one name and purpose, and what they meet in the zone. */
export interface TemplateSet {
  readonly id: string;
  readonly records: readonly TemplateRecord[];
  /** Records of the template that the zone already has. */
  readonly present: readonly TemplateRecord[];
  /** Records of the zone that contradict those of the template. */
  readonly rivals: readonly Present[];
  /** Whether keeping the rivals is the safer choice. */
  readonly prefersKeep: boolean;
}

/** The sets of a template, in its order. */
export function setsOf(
  wanted: readonly TemplateRecord[],
  stored: readonly StoredRecord[],
  entries: readonly Entry[],
): TemplateSet[] {
  const zone = presentIn(stored, entries);
  const ids = [...new Set(wanted.map(idOf))];
  return ids.map((id) => {
    const records = wanted.filter((one) => idOf(one) === id);
    const present = records.filter((one) => zone.some(({ shown }) => isEqual(shown, one)));
    const rivals = zone.filter(
      ({ shown }) => records.some((one) => isRival(one, shown)) && !records.some((one) => isEqual(one, shown)),
    );
    return { id, records, present, rivals, prefersKeep: prefersKeep(id, records, rivals) };
  });
}

/** A policy with reports, or a wildcard that leads to a service, is worth more than the record of the template. */
function prefersKeep(id: string, records: readonly TemplateRecord[], rivals: readonly Present[]): boolean {
  const isAlias = records.some(({ type }) => type === 'CNAME');
  const rejects = records.some(({ data }) => data.includes('p=reject'));
  return (id.endsWith(' dmarc1') && !rejects) || (!isAlias && rivals.some(({ shown }) => shown.type === 'CNAME'));
}

function presentIn(stored: readonly StoredRecord[], entries: readonly Entry[]): Present[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const kept = stored.flatMap((record) => {
    const entry = byKey.get(record.id);
    if (entry?.action === 'delete') return [];
    return [{ key: record.id, shown: entry?.action === 'update' ? entry.record : record, stored: record }];
  });
  const made = entries.flatMap((entry) =>
    entry.action === 'create' ? [{ key: entry.key, shown: entry.record, stored: null }] : [],
  );
  return [...kept, ...made];
}

const POLICY = /^v=(spf1|dmarc1|dkim1)\b/i;

/** The type, or the purpose of a TXT record: a name has one policy of each kind. */
function purposeOf({ name, type, data }: TemplateRecord): string {
  if (type !== 'TXT') return type;
  if (/(?:^|\.)_domainkey\./i.test(name)) return 'dkim1';
  return POLICY.exec(unquoted(data))?.[1]?.toLowerCase() ?? 'text';
}

const idOf = (record: TemplateRecord): string => `${record.name.toLowerCase()} ${purposeOf(record)}`;

function isRival(wanted: TemplateRecord, other: TemplateRecord): boolean {
  if (wanted.name.toLowerCase() !== other.name.toLowerCase()) return false;
  if (wanted.type === 'CNAME' || other.type === 'CNAME') return true;
  const purpose = purposeOf(wanted);
  return purpose !== 'text' && purpose === purposeOf(other);
}

function isEqual(one: TemplateRecord, other: TemplateRecord): boolean {
  const isSameName = one.name.toLowerCase() === other.name.toLowerCase();
  if (!isSameName || one.type !== other.type || one.priority !== other.priority) return false;
  if (one.type === 'TXT') return unquoted(one.data) === unquoted(other.data);
  return one.data.toLowerCase() === other.data.toLowerCase();
}

/** Adds a template to the pending changes. @param keeps IDs of the sets whose rivals stay */
export function withTemplate(
  pending: Pending,
  sets: readonly TemplateSet[],
  keeps: ReadonlySet<string>,
  base: Base,
): Pending {
  const chosen = sets.filter(({ id, rivals }) => rivals.length === 0 || !keeps.has(id));
  const deletions = chosen.flatMap(({ rivals }) => rivals);
  const cleared = deletions.reduce(
    (before, { key, stored }) =>
      stored === null ? withoutEntry(before, key) : withEntry(before, { action: 'delete', key, before: stored }, base),
    pending,
  );
  const missing = chosen.flatMap(({ records, present }) => records.filter((one) => !present.includes(one)));
  return missing.reduce((before, record) => {
    const deleted = before.entries.find((entry) => entry.action === 'delete' && isEqual(entry.before, record));
    // A deleted record that returns keeps its ID.
    if (deleted !== undefined) return withoutEntry(before, deleted.key);
    return withEntry(before, { action: 'create', key: crypto.randomUUID(), record: draftOf(record) }, base);
  }, cleared);
}

const draftOf = (record: TemplateRecord): RecordDraft => ({ ...record, ttl: record.ttl ?? null, description: null });
