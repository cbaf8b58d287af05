import type { Difference, DoneChanges, FieldError, StoredRecord } from '../api/types.js';
import { groupedBy } from '../parts/grouped.js';
import { type Entry, type RecordDraft, subjectOf } from './pending.js';

/** A row of the plan: the change of one record. */
export interface PlanRow {
  readonly key: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly before: RecordDraft | StoredRecord | null;
  readonly after: RecordDraft | StoredRecord | null;
  readonly errors: readonly string[];
}

/** The rows of entries that the service has tried, as it would store them. */
export function rowsOfTrial(entries: readonly Entry[], { changes }: DoneChanges): PlanRow[] {
  return inOrder(entries.map((entry, index) => rowOf(entry, changes[index]?.record ?? null, [])));
}

export interface Faults {
  readonly rows: PlanRow[];
  /** Faults of the changes as a whole. */
  readonly general: readonly string[];
}

/** Rows of refused entries, each with its fault. */
export function rowsOfRefusal(entries: readonly Entry[], errors: readonly FieldError[]): Faults {
  const byIndex = groupedBy(errors, ({ path }) => indexIn(path));
  const rows = entries.map((entry, index) =>
    rowOf(
      entry,
      null,
      (byIndex.get(index) ?? []).map(({ message }) => message),
    ),
  );
  return { rows: inOrder(rows), general: (byIndex.get(null) ?? []).map(({ message }) => message) };
}

export function rowsOfDifferences(differences: readonly Difference[]): PlanRow[] {
  const rows = differences.map(({ action, before, after }, index) => {
    return { key: String(index), action, before, after, errors: [] };
  });
  return inOrder(rows);
}

/** `changes[3].record.data` is about the fourth entry. */
function indexIn(path: string): number | null {
  const [, index] = /^(?:changes|diff)\[(\d+)\]/.exec(path) ?? [];
  return index === undefined ? null : Number(index);
}

function rowOf(entry: Entry, tried: StoredRecord | null, errors: readonly string[]): PlanRow {
  const before = entry.action === 'create' ? null : entry.before;
  const after = entry.action === 'delete' ? null : (tried ?? subjectOf(entry));
  return { key: entry.key, action: entry.action, before, after, errors };
}

/** By owner name, as zones are written: the apex first, labels compared from the right. */
function inOrder(rows: readonly PlanRow[]): PlanRow[] {
  const keyed = rows.map((row) => [sortKey((row.after ?? row.before)?.name ?? ''), row] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
}

const sortKey = (name: string): string => name.toLowerCase().split('.').reverse().join('\u0001');

export interface Totals {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

export function totalsOf(rows: readonly PlanRow[]): Totals {
  const totals = { create: 0, update: 0, delete: 0 };
  for (const { action } of rows) totals[action] += 1;
  return totals;
}

/** Record counts before the plan. */
export interface ZoneCounts {
  readonly total: number;
  /** At least of the guarded types. */
  readonly by_type: Readonly<Record<string, number>>;
}

export type Danger =
  { readonly kind: 'share'; readonly percent: number } | { readonly kind: 'last'; readonly type: string };

/** Losing the last record of these types is a danger. */
export const GUARDED_TYPES = ['NS', 'MX'];
const LARGE_SHARE = 30;
const SMALL_ZONE = 10;

export const percentOf = (rows: readonly PlanRow[], { total }: ZoneCounts): number =>
  total === 0 ? 0 : Math.round((100 * rows.filter(({ action }) => action !== 'create').length) / total);

/** Why a plan wants the name of the zone to be typed; `null` for everyday changes. */
export function dangerOf(rows: readonly PlanRow[], counts: ZoneCounts): Danger | null {
  for (const type of GUARDED_TYPES) {
    const had = counts.by_type[type] ?? 0;
    const is = (record: PlanRow['before']): boolean => record?.type === type;
    const left = rows.reduce((n, { before, after }) => n - Number(is(before)) + Number(is(after)), had);
    if (had > 0 && left <= 0) return { kind: 'last', type };
  }
  const percent = percentOf(rows, counts);
  return counts.total > SMALL_ZONE && percent > LARGE_SHARE ? { kind: 'share', percent } : null;
}
