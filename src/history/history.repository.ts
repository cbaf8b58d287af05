import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { AMONG, AMONG_NUMBERS_ON_POSTGRES } from '../database/statements/lookup.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import { UPKEEP } from '../common/caller.js';
import type { JournalEntity } from '../zones/journal/journal.entity.js';
import { journalEnd } from '../zones/journal/journal-end.js';
import { readStep, type Snapshot, type Step } from '../zones/journal/journal-format.js';

/** Octets of text per read. A single step may have 500,000. */
const READ_OCTETS = 2 ** 18;
const MOST_AT_A_TIME = 500;

/** A journal row without columns only for `zone.delete` or the audit. */
export type JournalRow = Omit<JournalEntity, 'formerName' | 'formerOwner' | 'address'>;

export interface JournalPosition {
  readonly number: number;
  readonly serial: number;
  readonly at: Instant;
}

export interface OutlinedStep {
  readonly number: number;
  readonly action: string;
  /** `null` for a step of the zone itself. */
  readonly recordId: string | null;
  /** Length of both snapshots. */
  readonly octets: number;
}

/** Whether the service changed the addresses of an ALIAS (behaviour 24.6). Clients cannot choose such an id. */
export function isUpkeep({ requestId }: Pick<JournalRow, 'requestId'>): boolean {
  return requestId.startsWith(UPKEEP);
}

export interface DeletedZone extends Pick<JournalRow, 'serial' | 'at' | 'tenantId' | 'tokenId' | 'userName'> {
  readonly id: string;
  /** In lower case. */
  readonly name: string;
}

/** A journal step with its actor, without record and snapshots. */
export type StepSummary = Omit<JournalRow, 'zoneId' | 'recordId' | 'before' | 'after'>;

export interface ChangeBounds {
  readonly first: number;
  readonly last: number;
}

/** Steps of records with one action, or one step of the zone itself. */
export interface ActionCount {
  readonly action: string;
  readonly steps: number;
}

type SnapshotRow = Pick<JournalEntity, 'number' | 'action' | 'before' | 'after'>;

export interface FormerZone {
  readonly id: string;
  readonly tenantId: string | null;
  /** In lower case. */
  readonly name: string | null;
}

/** Journal row numbers, both ends excluded. */
export interface NumberRange {
  readonly above: number;
  readonly below: number;
}

const OUTLINED_AT_A_TIME = 5000;

const COLUMNS =
  'zone_id AS "zoneId", number, serial, change_id AS "changeId", action, record_id AS "recordId", before, after,' +
  ' tenant_id AS "tenantId", token_id AS "tokenId", user_name AS "userName", request_id AS "requestId", at, message';
const OCTETS = 'COALESCE(OCTET_LENGTH(before), 0) + COALESCE(OCTET_LENGTH(after), 0)';

const PAGE_SQL = `SELECT ${COLUMNS} FROM journal WHERE zone_id = ? AND number > ? AND number < ? ORDER BY number DESC LIMIT ?`;
/** On SQLite, `rowsUntil` limits the text of a page. */
const PAGE = new Statement<JournalRow>(
  PAGE_SQL,
  'SELECT * FROM (SELECT p.*, SUM(octets) OVER (ORDER BY number DESC) - octets AS preceding' +
    ` FROM (${PAGE_SQL.replace(' FROM', `, ${OCTETS} AS octets FROM`)}) p) q` +
    ` WHERE preceding < ${READ_OCTETS} ORDER BY number DESC`,
);
const FIRST = new Statement<JournalPosition>(
  'SELECT number, serial, at FROM journal WHERE zone_id = ? AND number <= ? ORDER BY number LIMIT 1',
);
const AT_OR_BEFORE = new Statement<JournalPosition>(
  'SELECT number, serial, at FROM journal WHERE zone_id = ? AND number <= ? ORDER BY number DESC LIMIT 1',
);
/** SQLite need not read snapshots here, because their columns come last in a row. */
const OUTLINE = new Statement<OutlinedStep>(
  `SELECT number, action, record_id AS "recordId", ${OCTETS} AS octets FROM journal` +
    ' WHERE zone_id = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?',
);
const SNAPSHOTS_SQL = 'SELECT number, action, before, after FROM journal WHERE zone_id = ? AND number';
const SNAPSHOTS = new Statement<SnapshotRow>(
  `${SNAPSHOTS_SQL} ${AMONG}`,
  `${SNAPSHOTS_SQL} ${AMONG_NUMBERS_ON_POSTGRES}`,
);
const BEFORE_SQL = 'SELECT number, action, before, NULL AS after FROM journal WHERE zone_id = ? AND number';
const SNAPSHOTS_BEFORE = new Statement<SnapshotRow>(
  `${BEFORE_SQL} ${AMONG}`,
  `${BEFORE_SQL} ${AMONG_NUMBERS_ON_POSTGRES}`,
);

/** All steps of a change have the time at the start of its id. */
const STEP_OF_CHANGE_SQL = (index: string): string =>
  `SELECT number FROM journal${index} WHERE at >= ? AND at <= ? AND zone_id = ? AND change_id = ? LIMIT 1`;
const STEP_OF_CHANGE = new Statement<{ readonly number: number }>(
  STEP_OF_CHANGE_SQL(' INDEXED BY journal_in_time'),
  STEP_OF_CHANGE_SQL(''),
);
const CHANGE_OF_STEP = new Statement<{ readonly changeId: string }>(
  'SELECT change_id AS "changeId" FROM journal WHERE zone_id = ? AND number = ?',
);
const SUMMARIES = new Statement<StepSummary>(
  'SELECT number, serial, change_id AS "changeId", action, tenant_id AS "tenantId", token_id AS "tokenId",' +
    ' user_name AS "userName", request_id AS "requestId", at, message FROM journal' +
    ' WHERE zone_id = ? AND number > ? AND number < ? ORDER BY number DESC LIMIT ?',
);
const ACTION_COUNTS = new Statement<ActionCount>(
  'SELECT action, COUNT(*) AS steps FROM journal WHERE zone_id = ? AND number > ? AND number < ?' +
    " GROUP BY action, CASE WHEN action LIKE 'record.%' THEN 0 ELSE number END ORDER BY MAX(number) DESC",
);

const DELETED_SQL = (index: string): string =>
  'SELECT zone_id AS id, former_name AS name, serial, at, tenant_id AS "tenantId", token_id AS "tokenId",' +
  ` user_name AS "userName" FROM journal${index} WHERE action = 'zone.delete' AND former_owner = ? AND zone_id < ?` +
  ' ORDER BY zone_id DESC LIMIT ?';
const DELETED = new Statement<DeletedZone>(DELETED_SQL(' INDEXED BY journal_former_of_owner'), DELETED_SQL(''));

const FORMER_BY_ID = new Statement<FormerZone>(
  'SELECT zone_id AS id, former_owner AS "tenantId", former_name AS name FROM journal' +
    " WHERE zone_id = ? AND action = 'zone.delete' AND NOT EXISTS (SELECT 1 FROM zones z WHERE z.id = zone_id)" +
    ' ORDER BY number DESC LIMIT 1',
);
const FORMER_BY_NAME = new Statement<FormerZone>(
  'SELECT zone_id AS id, former_owner AS "tenantId", former_name AS name FROM journal' +
    " WHERE action = 'zone.delete' AND former_name = ? ORDER BY zone_id DESC LIMIT 1",
);
const FORMER_OF_TENANT = new Statement<FormerZone>(
  'SELECT zone_id AS id, former_owner AS "tenantId", former_name AS name FROM journal' +
    " WHERE action = 'zone.delete' AND former_name = ? AND former_owner = ? ORDER BY zone_id DESC LIMIT 1",
);

/** Ids are hexadecimal. */
const AFTER_ALL_IDS = 'g';
const MILLISECOND: Instant = 1000;
/** UUIDv7. Ids of version 0.1 have no time. */
const WITH_TIME = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/** Start of the millisecond in a change id. */
function instantIn(changeId: string): Instant | null {
  const [, high, low] = WITH_TIME.exec(changeId) ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16) * MILLISECOND;
}

/** The last number from `start` on, in one direction, that matches the condition, as must all before it. */
async function furthest(
  start: number,
  direction: 1 | -1,
  holds: (number: number) => Promise<boolean>,
): Promise<number> {
  let reach = 1;
  while (await holds(start + direction * reach)) reach *= 2;
  let [inside, outside] = [Math.floor(reach / 2), reach];
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (await holds(start + direction * middle)) inside = middle;
    else outside = middle;
  }
  return start + direction * inside;
}

/** Reads the journal; `JournalRepository` writes it. */
@Injectable()
export class HistoryRepository {
  /** First rows of a range, latest first: up to `limit`, fewer if they are long, but at least one. */
  async page(tx: Transaction, zoneId: string, range: NumberRange, limit: number): Promise<JournalRow[]> {
    const { above, below } = await shown(tx, zoneId, range);
    let length = 0;
    const isFull = ({ before, after }: JournalRow): boolean =>
      (length += (before?.length ?? 0) + (after?.length ?? 0)) >= READ_OCTETS;
    return PAGE.rowsUntil(tx, [zoneId, above, below, limit], isFull);
  }

  /** Up to `limit` rows of a range, without snapshots. */
  async summaries(tx: Transaction, zoneId: string, range: NumberRange, limit: number): Promise<StepSummary[]> {
    const { above, below } = await shown(tx, zoneId, range);
    return SUMMARIES.rows(tx, [zoneId, above, below, limit]);
  }

  /** Step numbers of a change; `null` if not stored. */
  async boundsOf(tx: Transaction, zoneId: string, changeId: string): Promise<ChangeBounds | null> {
    const begun = instantIn(changeId);
    if (begun === null) return null;
    const step = await STEP_OF_CHANGE.first(tx, [begun, begun + MILLISECOND - 1, zoneId, changeId]);
    if (step === undefined) return null;
    return {
      first: await this.endOfChange(tx, zoneId, changeId, step.number, -1),
      last: await this.endOfChange(tx, zoneId, changeId, step.number, 1),
    };
  }

  /** The first (-1) or the last step of a change that has the step `from`. */
  endOfChange(tx: Transaction, zoneId: string, changeId: string, from: number, direction: 1 | -1): Promise<number> {
    const isOfChange = async (number: number): Promise<boolean> =>
      (await CHANGE_OF_STEP.first(tx, [zoneId, number]))?.changeId === changeId;
    return furthest(from, direction, isOfChange);
  }

  /** The latest first. */
  actionCounts(tx: Transaction, zoneId: string, { above, below }: NumberRange): Promise<ActionCount[]> {
    return ACTION_COUNTS.rows(tx, [zoneId, above, below]);
  }

  async first(tx: Transaction, zoneId: string): Promise<JournalPosition | undefined> {
    return FIRST.first(tx, [zoneId, await journalEnd(tx, zoneId)]);
  }

  async atOrBefore(tx: Transaction, zoneId: string, number: number): Promise<JournalPosition | undefined> {
    return AT_OR_BEFORE.first(tx, [zoneId, Math.min(number, await journalEnd(tx, zoneId))]);
  }

  /** Steps after one number up to and including another, in order and in portions. */
  async *outline(tx: Transaction, zoneId: string, after: number, last: number): AsyncGenerator<OutlinedStep[]> {
    for (let from = after; ;) {
      const steps = await OUTLINE.rows(tx, [zoneId, from, last, OUTLINED_AT_A_TIME]);
      yield steps;
      const end = steps.at(-1);
      if (end === undefined || steps.length < OUTLINED_AT_A_TIME) return;
      from = end.number;
      // SQLite reads synchronously, so other requests get a turn between portions.
      await nextTurn();
    }
  }

  async steps(tx: Transaction, zoneId: string, numbers: readonly number[]): Promise<ReadonlyMap<number, Step>> {
    const rows = await SNAPSHOTS.rows(tx, [zoneId, JSON.stringify(numbers)]);
    return new Map(rows.map((row) => [row.number, readStep(row)]));
  }

  async before(tx: Transaction, zoneId: string, numbers: readonly number[]): Promise<ReadonlyMap<number, Snapshot>> {
    const rows = await SNAPSHOTS_BEFORE.rows(tx, [zoneId, JSON.stringify(numbers)]);
    const found = new Map<number, Snapshot>();
    for (const row of rows) {
      const { before } = readStep(row);
      if (before !== null) found.set(row.number, before);
    }
    return found;
  }

  /** Latest creation first. `before` is the id of the last zone of the previous page. */
  deletedOf(tx: Transaction, tenantId: string, before: string | null, limit: number): Promise<DeletedZone[]> {
    return DELETED.rows(tx, [tenantId, before ?? AFTER_ALL_IDS, limit]);
  }

  findFormer(tx: Transaction, zoneId: string): Promise<FormerZone | undefined> {
    return FORMER_BY_ID.first(tx, [zoneId]);
  }

  /** The latest deleted zone with that name in lower case. `tenantId: null` matches any owner. */
  findFormerByName(tx: Transaction, name: string, tenantId: string | null): Promise<FormerZone | undefined> {
    return tenantId === null ? FORMER_BY_NAME.first(tx, [name]) : FORMER_OF_TENANT.first(tx, [name, tenantId]);
  }
}

async function shown(tx: Transaction, zoneId: string, { above, below }: NumberRange): Promise<NumberRange> {
  return { above, below: Math.min(below, (await journalEnd(tx, zoneId)) + 1) };
}

/** Splits items into portions of one read. A long item is a portion of its own. */
export function* chunksOf<T extends { readonly octets: number }>(items: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  let octets = 0;
  for (const item of items) {
    if (chunk.length === MOST_AT_A_TIME || (chunk.length > 0 && octets + item.octets > READ_OCTETS)) {
      yield chunk;
      [chunk, octets] = [[], 0];
    }
    chunk.push(item);
    octets += item.octets;
  }
  if (chunk.length > 0) yield chunk;
}
