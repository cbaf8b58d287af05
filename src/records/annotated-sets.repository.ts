import { Injectable } from '@nestjs/common';
import { type Labels, labelsOf } from '../common/labels.js';
import { Slices } from '../common/waiting/slices.js';
import { IN_ZONE } from '../database/statements/contents-id.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSetEntity, SetKey } from './record-set.entity.js';
import type { RecordEntity } from './record.entity.js';
import { ServiceError } from '../common/service-error.js';

export type AnnotatedRecord = Pick<RecordEntity, 'ownerKey' | 'type' | 'data' | 'priority' | 'rdata'>;

export interface AnnotatedSet extends SetKey, SetAnnotations {
  readonly name: string;
  readonly ttl: number | null;
  readonly labels: Labels;
  readonly records: readonly AnnotatedRecord[];
}

type IdentifiedRecord = AnnotatedRecord & Pick<RecordEntity, 'id'>;

type SetRow = Pick<RecordSetEntity, 'ownerKey' | 'type' | 'name' | 'ttl' | 'octets' | 'annotations' | 'labels'>;

/** Sets per read; fewer if their data exceed `PAGE_OCTETS`. */
const PAGE_SIZE = 500;
const PAGE_OCTETS = 2 ** 18;
const COLUMNS = 'owner_key AS "ownerKey", type, name, ttl, octets, annotations, labels';
/** Without the addresses that the service sets: clients compare what they sent (behaviour 24.7). */
const OWN =
  " AND NOT (type IN ('A', 'AAAA') AND EXISTS (SELECT 1 FROM record_sets a WHERE a.zone_id = record_sets.zone_id" +
  " AND a.owner_key = record_sets.owner_key AND a.type = 'ALIAS' AND a.record_count > 0))";
const PAGE = new Statement<SetRow>(
  `SELECT ${COLUMNS} FROM record_sets WHERE ${IN_ZONE} AND (owner_key, type) > (?, ?)${OWN}` +
    ` ORDER BY owner_key, type LIMIT ${PAGE_SIZE}`,
);
const AT_OWNER = new Statement<SetRow>(`SELECT ${COLUMNS} FROM record_sets WHERE ${IN_ZONE} AND owner_key = ?${OWN}`);
const recordsSql = (hint: string): string =>
  `SELECT owner_key AS "ownerKey", type, data, priority, rdata, id FROM records${hint}` +
  ` WHERE ${IN_ZONE} AND (owner_key, type) > (?, ?) AND (owner_key, type) <= (?, ?) ORDER BY owner_key, type`;
/** Otherwise SQLite would walk the zone in id order. */
const RECORDS = new Statement<IdentifiedRecord>(recordsSql(' INDEXED BY records_fingerprint'), recordsSql(''));

/** Reads record sets as sent, in canonical order, with their annotations. */
@Injectable()
export class AnnotatedSets {
  async *all(tx: Transaction, zoneId: string): AsyncGenerator<readonly AnnotatedSet[]> {
    const slices = new Slices();
    let after: SetKey | null = null;
    do {
      const sets: readonly AnnotatedSet[] = await this.page(tx, zoneId, after);
      yield sets;
      after = sets.at(-1) ?? null;
      if (slices.isOver(octetsOf(sets))) await slices.pause();
    } while (after !== null);
  }

  /** The page after `marker`, or the first page for `null`. Empty at the end. */
  async page(tx: Transaction, zoneId: string, marker: SetKey | null): Promise<readonly AnnotatedSet[]> {
    const after = marker ?? { ownerKey: '', type: '' };
    const rows = bounded(await PAGE.rows(tx, [zoneId, after.ownerKey, after.type]));
    return rows.length === 0 ? [] : this.withRecords(tx, zoneId, after, rows);
  }

  async atOwner(tx: Transaction, zoneId: string, ownerKey: string): Promise<readonly AnnotatedSet[]> {
    const rows = await AT_OWNER.rows(tx, [zoneId, ownerKey]);
    rows.sort((one, other) => (one.type < other.type ? -1 : 1));
    return rows.length === 0 ? [] : this.withRecords(tx, zoneId, { ownerKey, type: '' }, rows);
  }

  private async withRecords(
    tx: Transaction,
    zoneId: string,
    after: SetKey,
    rows: readonly SetRow[],
  ): Promise<readonly AnnotatedSet[]> {
    const { ownerKey, type } = rows.at(-1) ?? after;
    const records = await RECORDS.rows(tx, [zoneId, after.ownerKey, after.type, ownerKey, type]);
    let at = 0;
    return rows.map((row) => {
      // `zonewright check` finds records whose set has no row.
      while (at < records.length && isBefore(records[at], row)) at += 1;
      const from = at;
      while (at < records.length && isOf(records[at], row)) at += 1;
      const { comments, disabled } = readAnnotations(row);
      const { name, ttl } = row;
      // Field by field: a zone has many sets, and copying objects takes longer than reading them.
      return {
        ownerKey: row.ownerKey,
        type: row.type,
        name,
        ttl,
        labels: labelsOf(row),
        comments,
        disabled,
        records: inOrder(records.slice(from, at)),
      };
    });
  }
}

function bounded(rows: readonly SetRow[]): SetRow[] {
  let octets = 0;
  const end = rows.findIndex((row) => (octets += row.octets + (row.annotations?.length ?? 0)) >= PAGE_OCTETS);
  return end === -1 ? [...rows] : rows.slice(0, end + 1);
}

function octetsOf(sets: readonly AnnotatedSet[]): number {
  let octets = 0;
  for (const { records } of sets) for (const { data, rdata } of records) octets += data.length + rdata.length;
  return octets;
}

function isOf(record: SetKey | undefined, { ownerKey, type }: SetKey): boolean {
  return record?.ownerKey === ownerKey && record.type === type;
}

/** In database order, which compares octets; both are ASCII. */
function isBefore(record: SetKey | undefined, { ownerKey, type }: SetKey): boolean {
  if (record === undefined) return false;
  return record.ownerKey < ownerKey || (record.ownerKey === ownerKey && record.type < type);
}

function inOrder(records: IdentifiedRecord[]): readonly AnnotatedRecord[] {
  return records.length < 2 ? records : records.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Data of a record set that name servers do not serve: comments and disabled records. */
export interface SetAnnotations {
  readonly comments: readonly SetComment[];
  readonly disabled: readonly DisabledRecord[];
}

export interface SetComment {
  readonly content: string;
  /** Author, as the client sent it. */
  readonly account: string;
  /** Unix seconds. */
  readonly modifiedAt: number;
}

export interface DisabledRecord {
  readonly data: string;
  readonly priority: number | null;
  readonly fingerprint: string;
}

const NONE: SetAnnotations = { comments: [], disabled: [] };
/** Octets of JSON. */
const MOST = 65_536;

export function readAnnotations(set: Pick<RecordSetEntity, 'annotations'> | null): SetAnnotations {
  const column = set?.annotations ?? null;
  // Only this file writes the column.
  return column === null ? NONE : (JSON.parse(column) as SetAnnotations);
}

/** @throws ServiceError `invalid_object` for more annotations than a set may have */
export function annotationsColumn({ comments, disabled }: SetAnnotations): string | null {
  if (comments.length === 0 && disabled.length === 0) return null;
  const column = JSON.stringify({ comments, disabled });
  if (Buffer.byteLength(column) <= MOST) return column;
  const message = `The comments and disabled records of one set take at most ${MOST} octets.`;
  throw ServiceError.ofField('invalid_object', 'comments', 'maxLength', message);
}
