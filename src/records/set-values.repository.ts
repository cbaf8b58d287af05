import { Injectable } from '@nestjs/common';
import { Lookup } from '../database/statements/lookup.js';
import type { Transaction } from '../database/transaction.js';
import type { SetCandidate } from './changes/set-candidate.js';

/** What the records of a set say. */
export interface SetValues {
  /** Each with its priority first, where it has one. */
  readonly texts: readonly string[];
  /** That of the set, or of its first record. */
  readonly description: string | null;
}

interface ValueRow {
  readonly id: string;
  readonly priority: number | null;
  readonly data: string | null;
  readonly description: string | null;
}

/** Without a hint SQLite would rather walk a whole zone than fetch the records of a set one by one. */
const valuesSql = (data: string, hint: string): string =>
  `SELECT r.id, r.priority, ${data} AS data, r.description FROM records r${hint}` +
  ' WHERE r.zone_id = ? AND r.owner_key = ? AND r.type = ?';
const lookup = (data: string): Lookup<ValueRow> =>
  new Lookup<ValueRow>(
    valuesSql(data, ' INDEXED BY records_fingerprint'),
    ['text', 'text', 'text'],
    valuesSql(data, ''),
  );
const FIND = lookup('r.data');
const FIND_DESCRIPTIONS = lookup('NULL');

/** Records are read as many at a time as have so many octets of RDATA, whose text may be four times as long. */
const OCTETS_AT_A_TIME = 2 ** 17;
const RECORDS_AT_A_TIME = 500;

/** Reads what sets have in their records, to compare it. */
@Injectable()
export class SetValuesRepository {
  /** Groups that can be read at once; a set that is too large for others is one by itself. */
  *grouped(sets: readonly SetCandidate[]): Generator<readonly SetCandidate[]> {
    let group: SetCandidate[] = [];
    let [records, octets] = [0, 0];
    for (const set of sets) {
      const isFull = records + set.recordCount > RECORDS_AT_A_TIME || octets + set.octets > OCTETS_AT_A_TIME;
      if (group.length > 0 && isFull) {
        yield group;
        [group, records, octets] = [[], 0, 0];
      }
      group.push(set);
      records += set.recordCount;
      octets += set.octets;
    }
    yield group;
  }

  /** @param wantsData whether the texts are wanted, or no more than the description */
  async of(tx: Transaction, sets: readonly SetCandidate[], wantsData: boolean): Promise<SetValues[]> {
    const keys = sets.map(({ zoneId, ownerKey, type }) => [zoneId, ownerKey, type]);
    const found = await (wantsData ? FIND : FIND_DESCRIPTIONS).rowsByKey(tx, [], keys);
    return sets.map((set, at) => valuesOf(set, set.managed === null ? (found[at] ?? []) : []));
  }
}

function valuesOf({ description }: SetCandidate, rows: readonly ValueRow[]): SetValues {
  const first = rows.reduce<ValueRow | null>((least, row) => (least === null || row.id < least.id ? row : least), null);
  const texts = rows.flatMap(({ priority, data }) => {
    if (data === null) return [];
    return [priority === null ? data : `${priority} ${data}`];
  });
  return { texts, description: description ?? first?.description ?? null };
}
