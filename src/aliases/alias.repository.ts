import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { bulkDelete, bulkInsert, bulkPatch } from '../database/statements/bulk-write.js';
import { contentsOf, IN_ZONE, zoneOf } from '../database/statements/contents-id.js';
import { Lookup } from '../database/statements/lookup.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import { isAliasSql } from '../records/record.entity.js';
import { isLeft } from '../zones/left-contents.repository.js';
import { isStaged } from '../zones/staged-imports/staged-import.repository.js';
import type { AliasOwnerEntity, AliasTargetEntity } from './alias-target.entity.js';

export type TargetKey = Pick<AliasTargetEntity, 'fingerprint' | 'zoneId'>;

/** An ALIAS and the target that it was linked to. */
export type AliasLink = Omit<AliasOwnerEntity, 'told'>;

/** An ALIAS whose zone may have to be told about the target. */
export interface UntoldOwner extends Pick<AliasOwnerEntity, 'zoneId' | 'ownerKey' | 'told'> {
  /** `null`: the ALIAS is deleted, or has another target. */
  readonly name: string | null;
  /** `null`: the zone is deleted. */
  readonly zoneName: string | null;
  readonly tenantId: string | null;
  readonly labels: string | null;
  /** 1: the zone was told for another ALIAS. */
  readonly isZoneTold: number;
}

/** An ALIAS record, with the tenant of its zone. */
export interface AliasRecord extends Pick<AliasOwnerEntity, 'zoneId' | 'ownerKey' | 'recordId' | 'recordVersion'> {
  readonly tenantId: string;
  readonly fingerprint: string;
  readonly rdata: string;
  /** 1 if this version of the record has its row in `alias_owners`. */
  readonly isLinked: number;
}

export type AliasPosition = Pick<AliasRecord, 'zoneId' | 'ownerKey'>;

/** An ALIAS with the state of its target; `null`: not linked to it yet. */
export interface AliasView {
  readonly ownerKey: string;
  readonly name: string;
  readonly data: string;
  readonly state: string | null;
  readonly problem: string | null;
  readonly addresses: string | null;
  readonly resolvedAt: Instant | null;
}

/** Sort before and after every zone id. */
export const FIRST_ZONE = '';
export const LAST_ZONE = '~';

const ZONE_ID = zoneOf('r.zone_id');

/** The join skips zones that are not created yet, and deleted ones. */
const RECORDS_SQL = (hint: string): string =>
  `SELECT ${ZONE_ID} AS "zoneId", r.owner_key AS "ownerKey", r.id AS "recordId", r.version AS "recordVersion",` +
  ' r.fingerprint, r.rdata, z.tenant_id AS "tenantId", CASE WHEN EXISTS (SELECT 1 FROM alias_owners o' +
  ` WHERE o.zone_id = ${ZONE_ID} AND o.owner_key = r.owner_key AND o.record_id = r.id AND o.record_version = r.version)` +
  ` THEN 1 ELSE 0 END AS "isLinked" FROM records r${hint} CROSS JOIN zones z WHERE ${isAliasSql('r.type')} AND z.id = ${ZONE_ID}` +
  ` AND NOT ${isLeft('r.zone_id')} AND NOT ${isStaged('r.zone_id')}` +
  ` AND r.zone_id >= ${contentsOf('?')} AND r.zone_id <= ${contentsOf('?')} AND (r.zone_id, r.owner_key) > (${contentsOf('?')}, ?)` +
  ' ORDER BY r.zone_id, r.owner_key LIMIT ?';
const RECORDS = new Statement<AliasRecord>(RECORDS_SQL(' INDEXED BY records_alias'), RECORDS_SQL(''));
const OWNERS = new Statement<AliasPosition & { readonly isThere: number }>(
  'SELECT o.zone_id AS "zoneId", o.owner_key AS "ownerKey", CASE WHEN EXISTS (SELECT 1 FROM records r' +
    ` WHERE r.zone_id = ${contentsOf('o.zone_id')}` +
    " AND r.owner_key = o.owner_key AND r.type = 'ALIAS') AND EXISTS" +
    ' (SELECT 1 FROM zones z WHERE z.id = o.zone_id) THEN 1 ELSE 0 END AS "isThere"' +
    ' FROM alias_owners o WHERE (o.zone_id, o.owner_key) > (?, ?) ORDER BY o.zone_id, o.owner_key LIMIT ?',
);

const VIEWS_SQL = (hint: string): string =>
  'SELECT r.owner_key AS "ownerKey", r.name, r.data, t.state, t.problem, t.addresses, t.resolved_at AS "resolvedAt"' +
  ` FROM records r${hint} LEFT JOIN alias_owners o ON o.zone_id = ${ZONE_ID} AND o.owner_key = r.owner_key` +
  ' LEFT JOIN alias_targets t ON t.fingerprint = r.fingerprint AND t.zone_id = o.target_zone_id' +
  ` WHERE r.zone_id = ${contentsOf('?')} AND ${isAliasSql('r.type')} AND r.owner_key >= ? ORDER BY r.owner_key LIMIT ?`;
const VIEWS = new Statement<AliasView>(VIEWS_SQL(' INDEXED BY records_alias'), VIEWS_SQL(''));

const OWNER_KEY = { zone_id: 'text', owner_key: 'text' } as const;
/** Another target has told the zone nothing. */
const LINK = bulkInsert(
  'alias_owners',
  {
    ...OWNER_KEY,
    ...{ record_id: 'text', record_version: 'integer', fingerprint: 'text' },
    ...{ target_zone_id: 'text', target_version: 'integer' },
  },
  'ON CONFLICT (zone_id, owner_key) DO UPDATE SET record_id = excluded.record_id, record_version = excluded.record_version,' +
    ' fingerprint = excluded.fingerprint, target_zone_id = excluded.target_zone_id, target_version = excluded.target_version,' +
    ' told = CASE WHEN alias_owners.fingerprint = excluded.fingerprint AND alias_owners.target_zone_id = excluded.target_zone_id' +
    ' THEN alias_owners.told ELSE 0 END',
);
const UNLINK = bulkDelete('alias_owners', OWNER_KEY);
/** A known target has addresses for the new owner, or is failing. */
const ADD_TARGET = bulkInsert(
  'alias_targets',
  {
    ...{ fingerprint: 'text', zone_id: 'text', name: 'text', next_at: 'bigint', state: 'text' },
    ...{ addresses: 'text', version: 'integer', is_stale: 'integer' },
  },
  'ON CONFLICT (fingerprint, zone_id) DO UPDATE SET is_stale = CASE WHEN alias_targets.version > 0 THEN 1 ELSE 0 END,' +
    ' untold = alias_targets.untold + alias_targets.notices % 2',
);

const TARGET_COLUMNS =
  'fingerprint, zone_id AS "zoneId", name, next_at AS "nextAt", state, problem, troubled_since AS "troubledSince",' +
  ' addresses, version, is_stale AS "isStale", resolved_at AS "resolvedAt", notices, noticed_at AS "noticedAt", untold';
const OF_KEY = 'fingerprint = ? AND zone_id = ?';
const FIND = new Statement<AliasTargetEntity>(`SELECT ${TARGET_COLUMNS} FROM alias_targets WHERE ${OF_KEY}`);
const DUE = new Statement<AliasTargetEntity>(
  `SELECT ${TARGET_COLUMNS} FROM alias_targets WHERE next_at <= ? AND (next_at, fingerprint, zone_id) > (?, ?, ?)` +
    ' ORDER BY next_at, fingerprint, zone_id LIMIT ?',
);
const STALE = new Statement<AliasTargetEntity>(
  `SELECT ${TARGET_COLUMNS} FROM alias_targets WHERE is_stale = 1 AND (fingerprint, zone_id) > (?, ?)` +
    ' ORDER BY fingerprint, zone_id LIMIT ?',
);
const WAKE = new Statement("UPDATE alias_targets SET next_at = ? WHERE zone_id = ? AND zone_id <> ''");
const WITH_ALIAS = new Lookup<{ readonly id: string }>(
  `SELECT ${zoneOf('zone_id')} AS id FROM records WHERE ${isAliasSql('type')} AND ${IN_ZONE} LIMIT 1`,
  ['text'],
);
const WITH_TARGET = new Lookup<{ readonly id: string }>(
  "SELECT zone_id AS id FROM alias_targets WHERE zone_id <> '' AND zone_id = ? LIMIT 1",
  ['text'],
);
/** Only if no other process has resolved the target meanwhile. */
const SETTLE = new Statement(
  'UPDATE alias_targets SET next_at = CASE WHEN next_at = ? THEN ? ELSE next_at END, state = ?, problem = ?, troubled_since = ?, addresses = ?, version = ?,' +
    ` is_stale = CASE WHEN ? > version THEN 1 ELSE is_stale END, resolved_at = ?, untold = CASE WHEN ? > notices THEN untold + 1 ELSE untold END,` +
    ` notices = ?, noticed_at = ? WHERE ${OF_KEY} AND version = ? AND notices = ?`,
);
const DELETE_TARGET = new Statement(
  `DELETE FROM alias_targets WHERE ${OF_KEY} AND NOT EXISTS (SELECT 1 FROM alias_owners o` +
    ' WHERE o.fingerprint = alias_targets.fingerprint AND o.target_zone_id = alias_targets.zone_id)',
);
const RELINK = new Statement(
  "UPDATE alias_owners SET record_version = -1, fingerprint = '' WHERE fingerprint = ? AND target_zone_id = ?",
);
const UNTOLD = new Statement<AliasTargetEntity>(
  `SELECT ${TARGET_COLUMNS} FROM alias_targets WHERE untold > 0 AND (fingerprint, zone_id) > (?, ?)` +
    ' ORDER BY fingerprint, zone_id LIMIT ?',
);
/** Zones that were told before come first: they may have new ALIAS records, which must not be taken for those of a new zone. */
const UNTOLD_OWNERS = new Statement<UntoldOwner>(
  'SELECT o.zone_id AS "zoneId", o.owner_key AS "ownerKey", o.told, r.name, z.name AS "zoneName", z.tenant_id AS "tenantId",' +
    ' z.labels, CASE WHEN EXISTS (SELECT 1 FROM alias_owners s WHERE s.fingerprint = o.fingerprint' +
    ' AND s.target_zone_id = o.target_zone_id AND s.told = ? AND s.zone_id = o.zone_id) THEN 1 ELSE 0 END AS "isZoneTold"' +
    ` FROM alias_owners o LEFT JOIN zones z ON z.id = o.zone_id LEFT JOIN records r ON r.zone_id = ${contentsOf('o.zone_id')}` +
    " AND r.owner_key = o.owner_key AND r.type = 'ALIAS' AND r.fingerprint = o.fingerprint" +
    ' WHERE o.fingerprint = ? AND o.target_zone_id = ? AND o.told < ?' +
    ' ORDER BY o.told DESC, o.zone_id DESC, o.owner_key DESC LIMIT ?',
);
const TELL = bulkPatch(
  'alias_owners',
  { ...OWNER_KEY, fingerprint: 'text', target_zone_id: 'text' },
  { told: 'integer' },
);
const END_TELLING = new Statement(`UPDATE alias_targets SET untold = 0 WHERE ${OF_KEY} AND untold = ?`);
const BEHIND = new Statement<AliasLink>(
  'SELECT zone_id AS "zoneId", owner_key AS "ownerKey", record_id AS "recordId", record_version AS "recordVersion",' +
    ' fingerprint, target_zone_id AS "targetZoneId", target_version AS "targetVersion" FROM alias_owners' +
    ' WHERE fingerprint = ? AND target_zone_id = ? AND target_version < ? ORDER BY target_version, zone_id, owner_key LIMIT ?',
);
const TENANT = new Statement<{ readonly tenantId: string }>(
  'SELECT z.tenant_id AS "tenantId" FROM alias_owners o JOIN zones z ON z.id = o.zone_id' +
    ' WHERE o.fingerprint = ? AND o.target_zone_id = ? LIMIT 1',
);
const FRESH = new Statement(
  `UPDATE alias_targets SET is_stale = 0 WHERE ${OF_KEY} AND version = ? AND NOT EXISTS (SELECT 1 FROM alias_owners o` +
    ' WHERE o.fingerprint = ? AND o.target_zone_id = ? AND o.target_version < ?)',
);
const STATES = new Statement<{ readonly state: string; readonly count: number; readonly oldest: Instant | null }>(
  "SELECT state, COUNT(*) AS count, MIN(troubled_since) AS oldest FROM alias_targets WHERE state <> 'resolved' GROUP BY state",
);
const ALL = new Statement<{ readonly count: number }>('SELECT COUNT(*) AS count FROM alias_targets');

@Injectable()
export class AliasRepository {
  /** ALIAS records of a range of zones, in the order of their key. */
  records(
    tx: Transaction,
    zones: readonly [string, string],
    after: AliasPosition,
    limit: number,
  ): Promise<AliasRecord[]> {
    return RECORDS.rows(tx, [...zones, after.zoneId, after.ownerKey, limit]);
  }

  /** From an owner name on, in the order of their names. */
  views(tx: Transaction, zoneId: string, from: string, limit: number): Promise<AliasView[]> {
    return VIEWS.rows(tx, [zoneId, from, limit]);
  }

  owners(tx: Transaction, after: AliasPosition, limit: number): Promise<(AliasPosition & { isThere: number })[]> {
    return OWNERS.rows(tx, [after.zoneId, after.ownerKey, limit]);
  }

  async link(
    tx: Transaction,
    owners: readonly AliasLink[],
    targets: readonly Pick<AliasTargetEntity, 'fingerprint' | 'zoneId' | 'name' | 'nextAt'>[],
  ): Promise<void> {
    const unique = [...new Map(targets.map((target) => [`${target.fingerprint} ${target.zoneId}`, target])).values()];
    await ADD_TARGET.runAll(
      tx,
      unique.map((target) => ({ ...target, state: 'new', addresses: '', version: 0, isStale: 0 })),
    );
    await LINK.runAll(tx, owners);
  }

  unlink(tx: Transaction, owners: readonly AliasPosition[]): Promise<void> {
    const rows = owners.map(({ zoneId, ownerKey }) => [zoneId, ownerKey]);
    return UNLINK.run(tx, rows);
  }

  find(tx: Transaction, { fingerprint, zoneId }: TargetKey): Promise<AliasTargetEntity | undefined> {
    return FIND.first(tx, [fingerprint, zoneId]);
  }

  /** Due targets after another one, the longest waiting first. */
  due(
    tx: Transaction,
    now: Instant,
    after: AliasTargetEntity | undefined,
    limit: number,
  ): Promise<AliasTargetEntity[]> {
    const { nextAt, fingerprint, zoneId } = after ?? { nextAt: Number.MIN_SAFE_INTEGER, fingerprint: '', zoneId: '' };
    return DUE.rows(tx, [now, nextAt, fingerprint, zoneId, limit]);
  }

  stale(tx: Transaction, { fingerprint, zoneId }: TargetKey, limit: number): Promise<AliasTargetEntity[]> {
    return STALE.rows(tx, [fingerprint, zoneId, limit]);
  }

  /** Those of the zones that have ALIAS records, or targets of some. */
  async concerned(tx: Transaction, zoneIds: readonly string[]): Promise<Set<string>> {
    const keys = zoneIds.map((id) => [id]);
    const found = [...(await WITH_ALIAS.rows(tx, [], keys)), ...(await WITH_TARGET.rows(tx, [], keys))];
    return new Set(found.map(({ id }) => id));
  }

  /** Makes the targets in a changed zone due. The time before all others tells one call from the next. */
  wake(tx: Transaction, zoneId: string, now: Instant): Promise<void> {
    return WAKE.run(tx, [-now, zoneId]);
  }

  /** Keeps the time of targets that became due while they were resolved. @param former the row that was resolved */
  settle(tx: Transaction, target: AliasTargetEntity, former: AliasTargetEntity): Promise<void> {
    const { fingerprint, zoneId, nextAt, state, problem, troubledSince, addresses, version, resolvedAt } = target;
    const { notices, noticedAt } = target;
    const values = [former.nextAt, nextAt, state, problem, troubledSince, addresses, version, version, resolvedAt];
    const told = [notices, notices, noticedAt];
    return SETTLE.run(tx, [...values, ...told, fingerprint, zoneId, former.version, former.notices]);
  }

  /** Keeps a target with owners. */
  deleteUnused(tx: Transaction, { fingerprint, zoneId }: TargetKey): Promise<void> {
    return DELETE_TARGET.run(tx, [fingerprint, zoneId]);
  }

  /** The next sweep links the owners again, to the target as it is then found. */
  relink(tx: Transaction, { fingerprint, zoneId }: TargetKey): Promise<void> {
    return RELINK.run(tx, [fingerprint, zoneId]);
  }

  /** Targets whose zones have to be told. */
  untold(tx: Transaction, { fingerprint, zoneId }: TargetKey, limit: number): Promise<AliasTargetEntity[]> {
    return UNTOLD.rows(tx, [fingerprint, zoneId, limit]);
  }

  /** Those of one zone follow each other, unless it was told about some of them before. */
  untoldOwners(
    tx: Transaction,
    { fingerprint, zoneId, notices }: AliasTargetEntity,
    limit: number,
  ): Promise<UntoldOwner[]> {
    return UNTOLD_OWNERS.rows(tx, [notices, fingerprint, zoneId, notices, limit]);
  }

  markTold(
    tx: Transaction,
    { fingerprint, zoneId: targetZoneId, notices: told }: AliasTargetEntity,
    owners: readonly AliasPosition[],
  ): Promise<void> {
    const rows = owners.map(({ zoneId, ownerKey }) => ({ zoneId, ownerKey, fingerprint, targetZoneId, told }));
    return TELL.runAll(tx, rows);
  }

  /** Unless more has to be told since the row was read. */
  endTelling(tx: Transaction, { fingerprint, zoneId, untold }: AliasTargetEntity): Promise<void> {
    return END_TELLING.run(tx, [fingerprint, zoneId, untold]);
  }

  behind(tx: Transaction, { fingerprint, zoneId, version }: AliasTargetEntity, limit: number): Promise<AliasLink[]> {
    return BEHIND.rows(tx, [fingerprint, zoneId, version, limit]);
  }

  /** Of one owner; `null` without owners. */
  async tenantOf(tx: Transaction, { fingerprint, zoneId }: TargetKey): Promise<string | null> {
    return (await TENANT.first(tx, [fingerprint, zoneId]))?.tenantId ?? null;
  }

  markFresh(tx: Transaction, { fingerprint, zoneId, version }: AliasTargetEntity): Promise<void> {
    return FRESH.run(tx, [fingerprint, zoneId, version, fingerprint, zoneId, version]);
  }

  /** Targets by state, with the earliest trouble. */
  async states(tx: Transaction): Promise<{ state: string; count: number; oldest: Instant | null }[]> {
    const troubled = await STATES.rows(tx, []);
    const all = (await ALL.first(tx, []))?.count ?? 0;
    const resolved = all - troubled.reduce((sum, { count }) => sum + count, 0);
    return [{ state: 'resolved', count: resolved, oldest: null }, ...troubled];
  }
}
