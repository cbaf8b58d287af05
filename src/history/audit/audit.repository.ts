import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import type { SqlValue, Transaction } from '../../database/transaction.js';
import { Statement } from '../../database/statements/statement.js';
import { inKeyOrder } from '../../database/statements/walk.js';
import { isStaged } from '../../zones/staged-imports/staged-import.repository.js';
import { IS_STAGED_STEP } from '../../zones/staged-imports/staged-change.repository.js';
import type { TimeCursor } from '../../zones/journal/time-cursor.js';
import type { AuditEntry } from './audit-entry.js';

/** Filters of audit entries; `null` disables a filter. */
export interface AuditFilter {
  readonly actions: readonly string[] | null;
  /** The requesting or the owning tenant. */
  readonly tenantId: string | null;
  readonly tokenId: string | null;
  readonly userName: string | null;
  readonly address: string | null;
  readonly zoneId: string | null;
  /** In lower case. */
  readonly zoneName: string | null;
}

export interface ReadEntry extends AuditEntry {
  /** 1 for entries of a zone or change that is written ahead and invisible. All of its entries have one time. */
  readonly isIncoming: number;
}

/** End excluded. */
export interface AuditRange {
  readonly before: TimeCursor;
  readonly from: TimeCursor;
}

interface Source {
  readonly columns: string;
  readonly table: string;
  readonly join: string;
  readonly key: string;
  readonly names: Readonly<Record<Exclude<keyof AuditFilter, 'actions'> | 'action' | 'ownerId', string>>;
}

/** The last row of a deleted zone has its owner and name. */
const formerly = (column: string): string =>
  `(SELECT l.${column} FROM journal l WHERE l.zone_id = j.zone_id AND l.action = 'zone.delete' ORDER BY l.number DESC LIMIT 1)`;
const OWNER = `COALESCE(z.tenant_id, ${formerly('former_owner')})`;
const ZONE_NAME = `COALESCE(z.name, ${formerly('former_name')})`;
const ACTOR =
  'tenant_id AS "tenantId", %.token_id AS "tokenId", %.user_name AS "userName", %.address, %.request_id AS "requestId"';

/**
 * SQL of the journal source.
 * @param fieldOf returns an expression for a snapshot field, which is JSON
 * @param join looks up the zone by key, whatever the planner estimates
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
      ` CASE WHEN ${isStaged('j.zone_id')} OR ${IS_STAGED_STEP('j.change_id')} = 1 THEN 1 ELSE 0 END AS "isIncoming"`,
    table,
    join,
    key: 'j.at, j.zone_id, j.number',
    names: {
      ...{ action: 'j.action', ownerId: OWNER, tenantId: 'j.tenant_id', tokenId: 'j.token_id' },
      ...{ userName: 'j.user_name', address: 'j.address', zoneId: 'j.zone_id', zoneName: ZONE_NAME },
    },
  };
}

/** Events outside of the journal, or removed from it. */
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
      // A plain join would read all zones for each portion of the journal. PostgreSQL cannot reorder a join with LIMIT.
      join: 'LEFT JOIN LATERAL (SELECT tenant_id, name FROM zones WHERE id = j.zone_id LIMIT 1) z ON TRUE',
    }),
    TRAIL,
  ],
} as const;

const TOKEN_DESCRIPTION = '(SELECT t.description FROM tokens t WHERE t.id = entries."tokenId") AS "tokenDescription"';
const LATEST_FIRST = 'ORDER BY at DESC, id DESC, number DESC';

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
  return `SELECT entries.*, ${TOKEN_DESCRIPTION} FROM (${parts.join(' UNION ALL ')}) entries ${LATEST_FIRST} LIMIT ?`;
}

const EXACT = ['tokenId', 'userName', 'address', 'zoneId'] as const;

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

/** Cursor of the entry at an offset in a range, read from keys only. */
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

/** Reads the journals of all zones and the audit trail as one list. */
@Injectable()
export class AuditRepository {
  constructor(private readonly reads: Reads) {}

  entries(filter: AuditFilter, range: AuditRange, limit: number): Promise<ReadEntry[]> {
    const conditions = conditionValues(filter);
    const statement =
      conditions.length === 0
        ? ALL
        : Statement.once<ReadEntry>(entriesSql(SOURCES.sqlite, filter), entriesSql(SOURCES.postgres, filter));
    const part = [...boundsOf(range), ...conditions, limit];
    return this.reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, [...part, ...part, limit])));
  }

  /** The cursor of entry number `count` in a range, regardless of filters; `null` if the range is shorter. */
  async cursorAt(count: number, range: AuditRange): Promise<TimeCursor | null> {
    const part = [...boundsOf(range), count];
    const values = [...part, ...part, count - 1];
    return (await this.reads.run((tx) => inKeyOrder(tx, () => CURSOR.first(tx, values)))) ?? null;
  }

  /** Removes a batch of old trail entries. Returns whether more may remain. */
  removeOld(tx: Transaction, before: Instant): Promise<boolean> {
    return DELETE_OLD.run(tx, [before], REMOVED_AT_A_TIME);
  }
}

function boundsOf({ before, from }: AuditRange): SqlValue[] {
  return [before, from].flatMap(({ at, id, number }) => [at, id, number]);
}
