import { type Instant, parseInstant } from '../../common/clock.js';
import type { Generation } from '../generation.js';

/** What happened to a zone in one step of a change. */
export type JournalAction =
  | 'zone.create'
  | 'zone.update'
  | 'zone.delete'
  | 'zone.serial'
  | 'zone.transfer'
  | 'zone.regenerate'
  | 'record.create'
  | 'record.update'
  | 'record.delete';

/** A zone as the journal keeps it. */
export interface ZoneSnapshot {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly serial: number;
  /** `null` where nobody has written down what SOA and apex NS were generated from. */
  readonly generation: Generation | null;
  /** Of a secondary zone only. */
  readonly masters?: readonly string[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  /** Whose zone it is; said where that changes. */
  readonly tenantId?: string;
}

/** A record as the journal keeps it: what is shown and what is served. */
export interface RecordSnapshot {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  /** In hexadecimal. */
  readonly rdata: string;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  /** When the service removes it; `null` and left out: never. */
  readonly expiresAt?: Instant | null;
}

export type Snapshot = ZoneSnapshot | RecordSnapshot;

/** One step of a change: what was and what is; `null` where there is nothing. */
export interface Step<Kept extends Snapshot = Snapshot> {
  readonly before: Kept | null;
  readonly after: Kept | null;
}

/** The columns `before` and `after` of a row, JSON. */
export interface StoredStep {
  readonly before: string | null;
  readonly after: string | null;
}

/** Stands first in each snapshot that is written; the rows of version 0.1 have none. */
const FORMAT = '{"v":2';

/** Of an update `before` is whole and `after` has what differs: a row holds a record once (ADR 19). */
export function writeStep({ before, after }: Step): StoredStep {
  if (before === null || after === null) return { before: whole(before), after: whole(after) };
  const kept: Readonly<Record<string, unknown>> = { ...before };
  const changes = Object.entries(after).filter(([field, value]) => value !== kept[field]);
  const lost = Object.keys(kept).filter((field) => !(field in after));
  const differing = [...changes, ...lost.map((field): [string, null] => [field, null])];
  return { before: whole(before), after: written(Object.fromEntries(differing)) };
}

export function readStep({ before, after }: StoredStep): Step {
  const was = before === null ? null : parse(before);
  const is = after === null ? null : parse(after);
  return {
    before: was === null ? null : read(was),
    after: is === null ? null : read(was !== null && is.v !== undefined ? { ...was, ...is } : is),
  };
}

/** A snapshot as a row has it; where it is the `after` of an update, as if it were whole. */
type Stored = (Snapshot & { readonly v: number }) | FirstFormat;

/** Version 0.1 kept what version 1 of the interface shows, and a record's RDATA and version. */
type FirstFormat = (Omit<ZoneSnapshot, 'generation' | Times> | Omit<RecordSnapshot, Times>) & {
  readonly v?: undefined;
  readonly domain_id?: string;
  readonly created_at: string;
  readonly updated_at: string | null;
};
type Times = 'createdAt' | 'updatedAt';

function whole(snapshot: Snapshot | null): string | null {
  return snapshot === null ? null : written(snapshot);
}

function written(fields: object): string {
  const json = JSON.stringify(fields).slice(1);
  return json === '}' ? FORMAT + json : `${FORMAT},${json}`;
}

function parse(json: string): Stored {
  // Nobody but this file writes the column.
  return JSON.parse(json) as Stored;
}

function read(stored: Stored): Snapshot {
  if (stored.v === undefined) return readFirstFormat(stored);
  const { v: _, ...snapshot } = stored;
  return snapshot;
}

function readFirstFormat({ domain_id: _, created_at, updated_at, ...kept }: FirstFormat): Snapshot {
  const times = {
    createdAt: parseInstant(created_at),
    updatedAt: updated_at === null ? null : parseInstant(updated_at),
  };
  return 'rdata' in kept ? { ...kept, ...times } : { ...kept, generation: null, ...times };
}
