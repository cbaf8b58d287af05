import { parseInstant } from '../../common/clock.js';
import type { RecordSnapshot, ZoneSnapshot } from '../../plugins/change-listener.js';
import type { JournalEntity } from './journal.entity.js';

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

export type Snapshot = ZoneSnapshot | RecordSnapshot;

/** `null`: nothing before, or nothing after. */
export interface Step<Kept extends Snapshot = Snapshot> {
  readonly before: Kept | null;
  readonly after: Kept | null;
}

interface StoredStep {
  readonly before: string | null;
  readonly after: string | null;
}

/** Version of a snapshot. Rows of version 0.1 have none. */
const FORMAT = '{"v":2';

/** In an update, `before` is complete and `after` has the differences, so that a row holds a record once (ADR 19). */
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

/** A stored snapshot. The `after` of an update is typed as if complete. */
type Stored = (Snapshot & { readonly v: number }) | FirstFormat;

/** The format of version 0.1: fields of interface version 1, with RDATA and version of a record. */
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
  // Only this file writes the columns.
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

export type JournalEntry = Omit<JournalEntity, 'before' | 'after'> & { readonly step: EntryStep };

export interface EntryStep {
  readonly of: Step;
  readonly octets: number;
  /** `null` for a long step: its text is created when its row is written, because a change may have 1,000 of them. */
  readonly written: StoredStep | null;
}

const LONG = 16_384;
/** Estimate for a snapshot without data and RDATA. */
const OCTETS_OF_OTHERS = 320;

export function entryStepOf(step: Step): EntryStep {
  const { before, after } = step;
  const isLong = lengthOf(before) + lengthOf(after) > LONG;
  if (isLong) return { of: step, octets: octetsOfLong(step), written: null };
  const written = writeStep(step);
  return {
    of: step,
    octets: Buffer.byteLength(written.before ?? '') + Buffer.byteLength(written.after ?? ''),
    written,
  };
}

export function storedStepOf({ of, written }: EntryStep): StoredStep {
  return written ?? writeStep(of);
}

function lengthOf(snapshot: Snapshot | null): number {
  return snapshot === null || !('rdata' in snapshot) ? 0 : snapshot.data.length + snapshot.rdata.length;
}

/** An update has the texts of `after` only if they differ. */
function octetsOfLong({ before, after }: Step): number {
  const isSame =
    before !== null && after !== null && 'rdata' in before && 'rdata' in after && before.data === after.data;
  return OCTETS_OF_OTHERS + lengthOf(before) + (isSame ? 0 : OCTETS_OF_OTHERS + lengthOf(after));
}
