import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { IN_TOKEN } from '../../dns/dnssec/key-token.js';
import { ZoneKeyEntity } from './zone-key.entity.js';
import type { RolloverStep } from '../rollovers/zone-rollover.entity.js';
import type { SigningState } from '../state/zone-signing.entity.js';
import { OwnedResources } from '../../zones/zone-contents.js';

const COLUMNS =
  'id, zone_id AS "zoneId", name_key AS "nameKey", tenant_id AS "tenantId", role, algorithm, tag, dnskey, signer, sealed,' +
  ' sealed_with AS "sealedWith", is_published AS "isPublished", signs_keys AS "signsKeys", signs_zone AS "signsZone",' +
  ' is_in_cds AS "isInCds", created_at AS "createdAt", retired_at AS "retiredAt"';
const OF_ZONE = new Statement<ZoneKeyEntity>(`SELECT ${COLUMNS} FROM zone_keys WHERE zone_id = ? ORDER BY id`);
const LEFT_BEHIND = new Statement<ZoneKeyEntity>(
  `SELECT ${COLUMNS} FROM zone_keys k WHERE name_key = ? AND tenant_id = ? AND is_published = 1 AND sealed IS NOT NULL` +
    ' AND NOT EXISTS (SELECT 1 FROM zones z WHERE z.id = k.zone_id) ORDER BY id DESC',
);
const ENCRYPTION_KEYS = new Statement<{ sealedWith: string }>(
  'SELECT DISTINCT sealed_with AS "sealedWith" FROM zone_keys WHERE retired_at IS NULL AND sealed_with IS NOT NULL' +
    ' AND EXISTS (SELECT 1 FROM zone_signing s WHERE s.zone_id = zone_keys.zone_id)',
);
const PAGE = new Statement<ZoneKeyEntity>(`SELECT ${COLUMNS} FROM zone_keys WHERE id > ? ORDER BY id LIMIT ?`);
const AGING = new Statement<AgingKey>(
  'SELECT k.id, k.zone_id AS "zoneId", k.tenant_id AS "tenantId", k.role, k.created_at AS "createdAt",' +
    ' CASE WHEN k.retired_at IS NULL AND k.sealed IS NOT NULL AND s.halted_because IS NULL AND r.zone_id IS NULL' +
    " AND (k.role = 'ksk' OR NOT EXISTS (SELECT 1 FROM zone_keys f WHERE f.zone_id = k.zone_id AND f.signer IS NOT NULL" +
    ' AND f.retired_at IS NULL)) THEN s.state END AS state FROM zone_keys k' +
    ' LEFT JOIN zone_signing s ON s.zone_id = k.zone_id LEFT JOIN zone_rollovers r ON r.zone_id = k.zone_id' +
    ' WHERE k.id > ? ORDER BY k.id LIMIT ?',
);
const BY_AGE = new Statement<KeyByAge>(
  'SELECT k.id, k.tag, k.role, k.created_at AS "createdAt", z.id AS "zoneId", z.name, z.name_key AS "nameKey",' +
    ' z.tenant_id AS "tenantId", r.step FROM zone_keys k JOIN zones z ON z.id = k.zone_id' +
    ' JOIN zone_signing s ON s.zone_id = k.zone_id LEFT JOIN zone_rollovers r ON r.old_key_id = k.id AND r.zone_id = k.zone_id' +
    ' WHERE k.tenant_id = ? AND k.role = ? AND k.retired_at IS NULL AND k.sealed IS NOT NULL AND (k.created_at, k.id) > (?, ?)' +
    ' ORDER BY k.created_at, k.id LIMIT ?',
);
const SEAL = new Statement('UPDATE zone_keys SET sealed = ?, sealed_with = ? WHERE id = ?');
const UPDATE = new Statement(
  'UPDATE zone_keys SET is_published = ?, signs_keys = ?, signs_zone = ?, is_in_cds = ?, retired_at = ? WHERE id = ?',
);
const DELETE_RETIRED = new Statement(
  'DELETE FROM zone_keys WHERE zone_id = ? AND tag = ? AND dnskey = ? AND retired_at IS NOT NULL',
);
const RETIRING = 'UPDATE zone_keys SET is_published = 0, signs_keys = 0, signs_zone = 0, is_in_cds = 0, retired_at = ?';
/** The row says which key to destroy in the token. */
const UNLESS_IN_TOKEN = ` AND (sealed_with IS NULL OR sealed_with <> '${IN_TOKEN}')`;
/** Retired keys kept for each zone, so that no new key gets their tag. */
const MOST_RETIRED = 100;
const FORGET_RETIRED = new Statement(
  'DELETE FROM zone_keys WHERE zone_id = ? AND id IN (SELECT id FROM (SELECT id,' +
    ' row_number() OVER (ORDER BY retired_at DESC, id DESC) AS place FROM zone_keys' +
    ' WHERE zone_id = ? AND retired_at IS NOT NULL) retired WHERE place > ?)' +
    UNLESS_IN_TOKEN,
);
const EARLIER =
  ' WHERE name_key = ? AND tenant_id = ? AND zone_id <> ? AND NOT EXISTS (SELECT 1 FROM zones z WHERE z.id = zone_keys.zone_id)';
const FORGET_EARLIER = new Statement(`DELETE FROM zone_keys${EARLIER}${UNLESS_IN_TOKEN}`);
const RETIRE_EARLIER = new Statement(`${RETIRING}${EARLIER} AND retired_at IS NULL`);
const MAKE_OWN = new Statement('UPDATE zone_keys SET tenant_id = ? WHERE zone_id = ?');
const RETIRE = new Statement(`${RETIRING} WHERE zone_id = ? AND retired_at IS NULL`);

export type AgingKey = Pick<ZoneKeyEntity, 'id' | 'zoneId' | 'tenantId' | 'role' | 'createdAt'> & {
  /** `null`: retired, without private key here or shared with another signer, or the zone is not signed, is halted, or has a rollover. */
  readonly state: SigningState | null;
};

/** A key in use, with its zone. */
export type KeyByAge = Pick<ZoneKeyEntity, 'id' | 'zoneId' | 'tenantId' | 'nameKey' | 'tag' | 'role' | 'createdAt'> & {
  readonly name: string;
  /** Of the rollover that replaces the key. */
  readonly step: RolloverStep | null;
};

@Injectable()
export class ZoneKeyRepository {
  /** All keys of the zone, retired ones included, in creation order. */
  ofZone(tx: Transaction, zoneId: string): Promise<ZoneKeyEntity[]> {
    return OF_ZONE.rows(tx, [zoneId]);
  }

  /** The keys of the last signed zone of that name that the tenant deleted: a DS may still refer to them. */
  async leftBehind(tx: Transaction, nameKey: string, tenantId: string): Promise<ZoneKeyEntity[]> {
    const rows = await LEFT_BEHIND.rows(tx, [nameKey, tenantId]);
    return rows.filter(({ zoneId }) => zoneId === rows[0]?.zoneId);
  }

  /** Replaces a retired key with the same DNSKEY. */
  async insert(tx: Transaction, keys: readonly ZoneKeyEntity[]): Promise<void> {
    for (const key of keys) {
      await DELETE_RETIRED.run(tx, [key.zoneId, key.tag, key.dnskey]);
      await entityManagerOf(tx).insert(ZoneKeyEntity, key);
      await FORGET_RETIRED.run(tx, [key.zoneId, key.zoneId, MOST_RETIRED]);
    }
  }

  /** Deletes the keys of earlier deleted zones with the same name and tenant. */
  async leaveBehind(tx: Transaction, zoneId: string, now: Instant): Promise<void> {
    const [key] = await this.ofZone(tx, zoneId);
    if (key === undefined) return;
    const earlier = [key.nameKey, key.tenantId, zoneId];
    await FORGET_EARLIER.run(tx, earlier);
    await RETIRE_EARLIER.run(tx, [now, ...earlier]);
  }

  makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    return MAKE_OWN.run(tx, [tenantId, zoneId]);
  }

  page(tx: Transaction, marker: string, limit: number): Promise<ZoneKeyEntity[]> {
    return PAGE.rows(tx, [marker, limit]);
  }

  /** A page of all keys by ID after `marker`. */
  aging(tx: Transaction, marker: string, limit: number): Promise<AgingKey[]> {
    return AGING.rows(tx, [marker, limit]);
  }

  /** The keys in use of a role, with their private keys here, of a tenant, oldest first, after the position. */
  byAge(
    tx: Transaction,
    { tenantId, role }: Pick<ZoneKeyEntity, 'tenantId' | 'role'>,
    after: readonly [createdAt: Instant, id: string],
    limit: number,
  ): Promise<KeyByAge[]> {
    return BY_AGE.rows(tx, [tenantId, role, ...after, limit]);
  }

  /** What all keys in use are encrypted with, and `IN_TOKEN`. Scans all keys. */
  async encryptionKeysInUse(tx: Transaction): Promise<string[]> {
    return (await ENCRYPTION_KEYS.rows(tx, [])).map(({ sealedWith }) => sealedWith);
  }

  seal(tx: Transaction, { id, sealed, sealedWith }: ZoneKeyEntity): Promise<void> {
    return SEAL.run(tx, [sealed, sealedWith, id]);
  }

  async update(tx: Transaction, key: ZoneKeyEntity): Promise<void> {
    const { id, isPublished, signsKeys, signsZone, isInCds, retiredAt } = key;
    await UPDATE.run(tx, [isPublished, signsKeys, signsZone, isInCds, retiredAt, id]);
  }

  retire(tx: Transaction, zoneId: string, at: number): Promise<void> {
    return RETIRE.run(tx, [at, zoneId]);
  }
}

/** Moves keys with their zone: a former owner must not get them with a new zone of the same name. */
@Injectable()
export class OwnerKeys extends OwnedResources {
  constructor(private readonly keys: ZoneKeyRepository) {
    super();
  }

  override makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    return this.keys.makeOwn(tx, zoneId, tenantId);
  }
}
