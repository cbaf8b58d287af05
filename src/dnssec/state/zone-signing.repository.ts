import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { ZoneSigningEntity } from './zone-signing.entity.js';

const COLUMNS =
  'zone_id AS "zoneId", state, denial, algorithm, is_single_key AS "isSingleKey", generation,' +
  ' signed_version AS "signedVersion", step, keys_version AS "keysVersion", next_due_at AS "nextDueAt", run_at AS "runAt",' +
  ' halted_because AS "haltedBecause", state_since AS "stateSince",' +
  ' ready_at AS "readyAt", checked_at AS "checkedAt", parent_due_at AS "parentDueAt",' +
  ' former_until AS "formerUntil", folded_step AS "foldedStep", key_ttl AS "keyTtl"';
const OF_ZONE_SQL = `SELECT ${COLUMNS} FROM zone_signing WHERE zone_id = ?`;
const OF_ZONE = new Statement<ZoneSigningEntity>(OF_ZONE_SQL);
const LOCK = new Statement<ZoneSigningEntity>(OF_ZONE_SQL, `${OF_ZONE_SQL} FOR UPDATE`);
const OF_TENANT = 's.zone_id AS "zoneId", COALESCE(z.tenant_id, \'\') AS "tenantId"';
const WITH_ZONES = 'FROM zone_signing s LEFT JOIN zones z ON z.id = s.zone_id';
const AMONG = new Lookup<SignedZoneOf>(`SELECT ${OF_TENANT} ${WITH_ZONES} WHERE s.zone_id = ?`, ['text']);
const DUE = new Statement<DueZone>(
  `SELECT ${OF_TENANT}, s.next_due_at AS "dueAt" ${WITH_ZONES}` +
    ' WHERE s.next_due_at <= ? AND (s.next_due_at, s.zone_id) > (?, ?) ORDER BY s.next_due_at, s.zone_id LIMIT ?',
);
const PARENT_DUE = new Statement<DueZone>(
  `SELECT ${OF_TENANT}, s.parent_due_at AS "dueAt" ${WITH_ZONES}` +
    ' WHERE s.parent_due_at <= ? AND (s.parent_due_at, s.zone_id) > (?, ?) ORDER BY s.parent_due_at, s.zone_id LIMIT ?',
);
const LOOK_AT_PARENT = new Statement('UPDATE zone_signing SET parent_due_at = ? WHERE zone_id = ?');
/** Zones to sign: changed, signed by another release, or deleted. */
const BEHIND = new Statement<SignedZoneOf & { isBehind: number }>(
  `SELECT ${OF_TENANT}, CASE WHEN z.version = s.signed_version AND s.folded_step = s.step THEN 0 ELSE 1 END AS "isBehind" ${WITH_ZONES}` +
    ' WHERE s.zone_id > ? ORDER BY s.zone_id LIMIT ?',
);
const ZONES = new Statement<{ id: string; name: string }>(
  'SELECT z.id, z.name FROM zone_signing s JOIN zones z ON z.id = s.zone_id WHERE s.zone_id > ? ORDER BY s.zone_id LIMIT ?',
);
const BROKEN = new Statement<{ id: string; name: string }>(
  'SELECT z.id, z.name FROM zone_signing s JOIN zones z ON z.id = s.zone_id' +
    ' WHERE s.zone_id > ? AND (s.halted_because IS NOT NULL OR s.next_due_at < ?) ORDER BY s.zone_id LIMIT ?',
);
const UNCHECKED = new Statement<{ zoneId: string }>(
  'SELECT zone_id AS "zoneId" FROM zone_signing WHERE checked_at < ? ORDER BY checked_at, zone_id LIMIT 1',
);
const NOTE_CHECK = new Statement('UPDATE zone_signing SET checked_at = ? WHERE zone_id = ?');
const STATES = new Statement<{ state: string; count: number }>(
  "SELECT CASE WHEN halted_because IS NULL THEN state ELSE 'halted' END AS state, COUNT(*) AS count" +
    ' FROM zone_signing GROUP BY 1',
);
const FIRST_DUE = new Statement<{ nextDueAt: Instant }>(
  'SELECT next_due_at AS "nextDueAt" FROM zone_signing WHERE next_due_at > 0 ORDER BY next_due_at LIMIT 1',
);
const UPDATE = new Statement(
  'UPDATE zone_signing SET state = ?, generation = ?, signed_version = ?, step = ?, keys_version = ?, next_due_at = ?, run_at = ?,' +
    ' halted_because = ?, state_since = ?, ready_at = ?, denial = ?, former_until = ?, folded_step = ?,' +
    ' parent_due_at = CASE WHEN keys_version <> ? THEN 0 ELSE parent_due_at END WHERE zone_id = ?',
);
const NOTE_FOLDED = new Statement('UPDATE zone_signing SET folded_step = step WHERE zone_id = ? AND step = ?');
const SET_ALGORITHM = new Statement('UPDATE zone_signing SET algorithm = ? WHERE zone_id = ?');
const SET_KEY_TTL = new Statement('UPDATE zone_signing SET key_ttl = ? WHERE zone_id = ?');
const LEAVE_KEY_TTL = new Statement(
  'UPDATE zone_signing SET key_ttl = NULL WHERE zone_id = ? AND NOT EXISTS (SELECT 1 FROM zone_keys k' +
    ' WHERE k.zone_id = zone_signing.zone_id AND k.retired_at IS NULL AND k.signer IS NULL AND k.sealed IS NULL)',
);
const DELETE = new Statement('DELETE FROM zone_signing WHERE zone_id = ?');

/** A signed zone and its tenant, which is empty for a deleted zone. */
export interface SignedZoneOf {
  readonly zoneId: string;
  readonly tenantId: string;
}

export interface DueZone extends SignedZoneOf {
  readonly dueAt: Instant;
}

interface SigningSummary {
  readonly zones: readonly { readonly state: string; readonly count: number }[];
  readonly firstDue: Instant | null;
}

@Injectable()
export class ZoneSigningRepository {
  find(tx: Transaction, zoneId: string): Promise<ZoneSigningEntity | undefined> {
    return OF_ZONE.first(tx, [zoneId]);
  }

  lock(tx: Transaction, zoneId: string): Promise<ZoneSigningEntity | undefined> {
    return LOCK.first(tx, [zoneId]);
  }

  signedAmong(tx: Transaction, zoneIds: readonly string[]): Promise<SignedZoneOf[]> {
    const rows = zoneIds.map((id) => [id]);
    return AMONG.rows(tx, [], rows);
  }

  /** A page of due zones after `marker`, longest wait first. */
  due(tx: Transaction, now: Instant, marker: DueZone | undefined, limit: number): Promise<DueZone[]> {
    return DUE.rows(tx, [now, marker?.dueAt ?? Number.MIN_SAFE_INTEGER, marker?.zoneId ?? '', limit]);
  }

  parentDue(tx: Transaction, now: Instant, marker: DueZone | undefined, limit: number): Promise<DueZone[]> {
    return PARENT_DUE.rows(tx, [now, marker?.dueAt ?? Number.MIN_SAFE_INTEGER, marker?.zoneId ?? '', limit]);
  }

  lookAtParent(tx: Transaction, zoneId: string, at: Instant | null): Promise<void> {
    return LOOK_AT_PARENT.run(tx, [at, zoneId]);
  }

  /** A page of signed zones by ID after `marker`, with a flag for zones to sign. */
  behind(tx: Transaction, marker: string, limit: number): Promise<(SignedZoneOf & { isBehind: number })[]> {
    return BEHIND.rows(tx, [marker, limit]);
  }

  zones(tx: Transaction, marker: string, limit: number): Promise<{ id: string; name: string }[]> {
    return ZONES.rows(tx, [marker, limit]);
  }

  broken(tx: Transaction, dueBefore: Instant, marker: string, limit: number): Promise<{ id: string; name: string }[]> {
    return BROKEN.rows(tx, [marker, dueBefore, limit]);
  }

  async uncheckedSince(tx: Transaction, instant: Instant): Promise<string | null> {
    return (await UNCHECKED.first(tx, [instant]))?.zoneId ?? null;
  }

  recordCheck(tx: Transaction, zoneId: string, at: Instant): Promise<void> {
    return NOTE_CHECK.run(tx, [at, zoneId]);
  }

  /** Records that all targets are in lower case, unless the zone was signed since. */
  recordFolded(tx: Transaction, { zoneId, step }: Pick<ZoneSigningEntity, 'zoneId' | 'step'>): Promise<void> {
    return NOTE_FOLDED.run(tx, [zoneId, step]);
  }

  async summary(tx: Transaction): Promise<SigningSummary> {
    const zones = await STATES.rows(tx, []);
    return { zones, firstDue: (await FIRST_DUE.first(tx, []))?.nextDueAt ?? null };
  }

  async insert(tx: Transaction, row: ZoneSigningEntity): Promise<void> {
    await entityManagerOf(tx).insert(ZoneSigningEntity, row);
  }

  update(tx: Transaction, row: ZoneSigningEntity): Promise<void> {
    const { state, generation, signedVersion, step, keysVersion, nextDueAt, runAt, haltedBecause, stateSince } = row;
    const fields = [state, generation, signedVersion, step, keysVersion, nextDueAt, runAt, haltedBecause, stateSince];
    return UPDATE.run(tx, [
      ...fields,
      row.readyAt,
      row.denial,
      row.formerUntil,
      row.foldedStep,
      keysVersion,
      row.zoneId,
    ]);
  }

  setAlgorithm(tx: Transaction, zoneId: string, algorithm: number): Promise<void> {
    return SET_ALGORITHM.run(tx, [algorithm, zoneId]);
  }

  setKeyTtl(tx: Transaction, zoneId: string, ttl: number): Promise<void> {
    return SET_KEY_TTL.run(tx, [ttl, zoneId]);
  }

  /** Without an offline key, the TTL of the keys follows the zone again. */
  leaveKeyTtl(tx: Transaction, zoneId: string): Promise<void> {
    return LEAVE_KEY_TTL.run(tx, [zoneId]);
  }

  delete(tx: Transaction, zoneId: string): Promise<void> {
    return DELETE.run(tx, [zoneId]);
  }
}
