import { type Snapshot, type Step, type StoredStep, writeStep } from './journal-format.js';
import type { JournalEntity } from './journal.entity.js';

/** A row of the journal before it is written. */
export type JournalEntry = Omit<JournalEntity, 'before' | 'after'> & { readonly step: EntryStep };

/** A step as it waits to be written. */
export interface EntryStep {
  /** What it is about. */
  readonly of: Step;
  /** Octets of its text. */
  readonly octets: number;
  /** The text, where it is short. A long one is made when its row is written: a change may have 1,000 of them. */
  readonly written: StoredStep | null;
}

/** Characters of data and RDATA. */
const LONG = 16_384;
/** Of a snapshot without data and RDATA, about. */
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

/** The columns of the row. */
export function storedStepOf({ of, written }: EntryStep): StoredStep {
  return written ?? writeStep(of);
}

function lengthOf(snapshot: Snapshot | null): number {
  return snapshot === null || !('rdata' in snapshot) ? 0 : snapshot.data.length + snapshot.rdata.length;
}

/** About as many as `writeStep` makes: an update has the texts of `after` only where they differ. */
function octetsOfLong({ before, after }: Step): number {
  const isSame =
    before !== null && after !== null && 'rdata' in before && 'rdata' in after && before.data === after.data;
  return OCTETS_OF_OTHERS + lengthOf(before) + (isSame ? 0 : OCTETS_OF_OTHERS + lengthOf(after));
}
