import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import type { SqlValue } from '../../database/statements/sql-value.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { inKeyOrder } from '../../database/statements/walk.js';
import { isStaged } from '../../zones/staged-imports/staged-import.repository.js';
import type { TimeCursor } from '../../zones/journal/time-cursor.js';
import type { AuditEntry } from './audit-entry.js';

/** What entries are looked for by; what is `null` is not. */
export interface AuditFilter {
  readonly actions: readonly string[] | null;
  /** The tenant that asked, or whose it is. */
  readonly tenantId: string | null;
  readonly tokenId: string | null;
  readonly userName: string | null;
  readonly address: string | null;
  readonly zoneId: string | null;
  /** In lower case. */
  readonly zoneName: string | null;
}

/** An entry as it is read. */
export interface ReadEntry extends AuditEntry {
  /** 1 where it is of a zone that is not there yet, which nobody sees; then so are all of its entries, which have one time. */
  readonly isIncoming: number;
}

/** A part of the audit, the later end left out. */
export interface AuditRange {
  readonly before: TimeCursor;
  readonly from: TimeCursor;
}

/** The rows of one source as the audit shows them, and what it calls what they are filtered by. */
interface Source {
  readonly columns: string;
  readonly table: string;
  /** What a row is shown with beside its own; empty: nothing. */
  readonly join: string;
  readonly key: string;
  readonly names: Readonly<Record<Exclude<keyof AuditFilter, 'actions'> | 'action' | 'ownerId', string>>;
}

/** The last row of a zone that is gone says whose it was, and its name. */
const formerly = (column: string): string =>
  `(SELECT l.${column} FROM journal l WHERE l.zone_id = j.zone_id ORDER BY l.number DESC LIMIT 1)`;
const OWNER = `COALESCE(z.tenant_id, ${formerly('former_owner')})`;
const ZONE_NAME = `COALESCE(z.name, ${formerly('former_name')})`;
const ACTOR =
  'tenant_id AS "tenantId", %.token_id AS "tokenId", %.user_name AS "userName", %.address, %.request_id AS "requestId"';

/**
 * What the journal tells.
 * @param fieldOf an expression for a field of a snapshot, which is JSON
 * @param join with the zone, which is looked up by its key whatever the database thinks of how many zones there are
 */
function journalSource(
  fieldOf: (snapshot: string, field: string) => string,
  { table, join }: Pick<Source, 'table' | 'join'>,
): Source {
  const ofRecord = (field: string): string =>
    `CASE WHEN j.record_id IS NULL THEN NULL ELSE COALESCE(${fieldOf('j.after', field)}, ${fieldOf('j.before', field)}) END`;
  return {
    columns:
      `j.at, j.zone_id AS id, j.number, j.action, ${OWNER} AS "ownerId", j.${ACTOR.replaceAll('%', 'j')},` +
      ` j.zone_id AS "zoneId", ${ZONE_NAME} AS "zoneName", j.change_id AS "changeId", j.serial, j.record_id AS "recordId",` +
      ` ${ofRecord('name')} AS "recordName", ${ofRecord('type')} AS "recordType",` +
      ' NULL AS "subjectId", NULL AS "subjectName", NULL AS details,' +
      ` CASE WHEN ${isStaged('j.zone_id')} THEN 1 ELSE 0 END AS "isIncoming"`,
    table,
    join,
    key: 'j.at, j.zone_id, j.number',
    names: {
      ...{ action: 'j.action', ownerId: OWNER, tenantId: 'j.tenant_id', tokenId: 'j.token_id' },
      ...{ userName: 'j.user_name', address: 'j.address', zoneId: 'j.zone_id', zoneName: ZONE_NAME },
    },
  };
}

/** What it does not tell, or no longer. */
const TRAIL: Source = {
  columns:
    `a.at, a.id, a.number, a.action, a.owner_id AS "ownerId", a.${ACTOR.replaceAll('%', 'a')},` +
    ' a.zone_id AS "zoneId", a.zone_name AS "zoneName", a.change_id AS "changeId", a.serial,' +
    ' NULL AS "recordId", NULL AS "recordName", NULL AS "recordType",' +
    ' a.subject_id AS "subjectId", a.subject_name AS "subjectName", a.details, 0 AS "isIncoming"',
  table: 'audit_entries a',
  join: '',
  key: 'a.at, a.id, a.number',
  names: {
    ...{ action: 'a.action', ownerId: 'a.owner_id', tenantId: 'a.tenant_id', tokenId: 'a.token_id' },
    ...{ userName: 'a.user_name', address: 'a.address', zoneId: 'a.zone_id', zoneName: 'a.zone_name' },
  },
};

const SOURCES = {
  sqlite: [
    journalSource((snapshot, field) => `json_extract(${snapshot}, '$.${field}')`, {
      table: 'journal j INDEXED BY journal_in_time',
      join: 'LEFT JOIN zones z ON z.id = j.zone_id',
    }),
    TRAIL,
  ],
  postgres: [
    journalSource((snapshot, field) => `${snapshot}::json ->> '${field}'`, {
      table: 'journal j',
      // With a plain join it would read all zones for each portion of the journal. One with a LIMIT it cannot turn around.
      join: 'LEFT JOIN LATERAL (SELECT tenant_id, name FROM zones WHERE id = j.zone_id LIMIT 1) z ON TRUE',
    }),
    TRAIL,
  ],
} as const;

const LATEST_FIRST = 'ORDER BY at DESC, id DESC, number DESC';

/** Entries of both sources in a range, as many as there may be. */
function entriesSql(sources: readonly Source[], { actions, ...values }: AuditFilter): string {
  const parts = sources.map(({ columns, table, join, key, names }) => {
    const conditions = [
      ...(actions === null ? [] : [`${names.action} IN (${actions.map(() => '?').join(', ')})`]),
      ...(values.tenantId === null ? [] : [`(${names.tenantId} = ? OR ${names.ownerId} = ?)`]),
      ...EXACT.filter((field) => values[field] !== null).map((field) => `${names[field]} = ?`),
      ...(values.zoneName === null ? [] : [`LOWER(${names.zoneName}) = ?`]),
    ];
    const isIn = [`(${key}) < (?, ?, ?)`, `(${key}) >= (?, ?, ?)`, ...conditions].join(' AND ');
    return `SELECT * FROM (SELECT ${columns} FROM ${table} ${join} WHERE ${isIn} ORDER BY ${descending(key)} LIMIT ?) part`;
  });
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) entries ${LATEST_FIRST} LIMIT ?`;
}

const EXACT = ['tokenId', 'userName', 'address', 'zoneId'] as const;

/** In the order of `entriesSql`. */
function conditionValues({ actions, tenantId, zoneName, ...exact }: AuditFilter): SqlValue[] {
  const given = EXACT.flatMap((field) => exact[field] ?? []);
  return [
    ...(actions ?? []),
    ...(tenantId === null ? [] : [tenantId, tenantId]),
    ...given,
    ...(zoneName === null ? [] : [zoneName]),
  ];
}

function descending(key: string): string {
  return key.replaceAll(/,|$/g, (end) => ` DESC${end}`);
}

/** The cursor of the entry that has so many before it in a range, by the keys alone. */
function cursorSql(sources: readonly Source[]): string {
  const parts = sources.map(({ table, key }) => {
    const [at, id, number] = key.split(', ');
    return (
      `SELECT * FROM (SELECT ${at} AS at, ${id} AS id, ${number} AS number FROM ${table}` +
      ` WHERE (${key}) < (?, ?, ?) AND (${key}) >= (?, ?, ?) ORDER BY ${descending(key)} LIMIT ?) part`
    );
  });
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) cursors ${LATEST_FIRST} LIMIT 1 OFFSET ?`;
}

const CURSOR = new Statement<TimeCursor>(cursorSql(SOURCES.sqlite), cursorSql(SOURCES.postgres));
const NOT_FILTERED: AuditFilter = {
  ...{ actions: null, tenantId: null, tokenId: null, userName: null, address: null, zoneId: null, zoneName: null },
};
const ALL = new Statement<ReadEntry>(
  entriesSql(SOURCES.sqlite, NOT_FILTERED),
  entriesSql(SOURCES.postgres, NOT_FILTERED),
);

const DELETE_OLD = new PortionedDelete({
  table: 'audit_entries',
  key: ['at', 'id', 'number'],
  where: 'at < ?',
  orderBy: 'at',
});
const REMOVED_AT_A_TIME = 1000;

/** Who did what: the journals of all zones, and what they do not tell, as one list. */
@Injectable()
export class AuditRepository {
  constructor(private readonly reads: Reads) {}

  /** The latest entries of a range that the filter lets through, latest first. */
  entries(filter: AuditFilter, range: AuditRange, limit: number): Promise<ReadEntry[]> {
    const conditions = conditionValues(filter);
    const statement =
      conditions.length === 0
        ? ALL
        : Statement.once<ReadEntry>(entriesSql(SOURCES.sqlite, filter), entriesSql(SOURCES.postgres, filter));
    const part = [...boundsOf(range), ...conditions, limit];
    return this.reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, [...part, ...part, limit])));
  }

  /** The cursor of the entry that is the `count`th of a range, of whatever kind; `null` where there are fewer. */
  async cursorAt(count: number, range: AuditRange): Promise<TimeCursor | null> {
    const part = [...boundsOf(range), count];
    const values = [...part, ...part, count - 1];
    return (await this.reads.run((tx) => inKeyOrder(tx, () => CURSOR.first(tx, values)))) ?? null;
  }

  /** Removes some of what the journal does not tell and is older. Returns whether there may be more. */
  removeOld(tx: Transaction, before: Instant): Promise<boolean> {
    return DELETE_OLD.run(tx, [before], REMOVED_AT_A_TIME);
  }
}

function boundsOf({ before, from }: AuditRange): SqlValue[] {
  return [before, from].flatMap(({ at, id, number }) => [at, id, number]);
}
