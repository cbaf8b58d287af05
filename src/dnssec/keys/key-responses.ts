import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { bulkUpsert } from '../../database/statements/bulk-write.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { PreparedSignature } from '../../dns/dnssec/rrsig.js';
import { Type, type WireSet } from '../../dns/dnssec/wire-set.js';
import { digestOf } from '../state/signed-set-form.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import type { KeySignatureEntity } from './key-signature.entity.js';
import type { ZoneKeyEntity } from './zone-key.entity.js';

type Content = Omit<WireSet, 'owner'>;
type SetKey = Pick<KeySignatureEntity, 'type' | 'digest'>;

const VALID = new Statement<KeySignatureEntity>(
  'SELECT type, digest, tag, inception, expiration, rrsig FROM key_signatures' +
    ' WHERE zone_id = ? AND inception <= ? AND expiration > ? ORDER BY expiration',
);
const NEXT = new Statement<SetKey & { readonly tag: number; readonly inception: number }>(
  'SELECT type, digest, tag, MIN(inception) AS inception FROM key_signatures WHERE zone_id = ? AND inception > ?' +
    ' GROUP BY type, digest, tag',
);
const END = new Statement<{ readonly until: number | null }>(
  'SELECT MAX(expiration) AS "until" FROM key_signatures WHERE zone_id = ? AND type = ? AND digest = ?',
);
const FIRST_END = new Statement<{ readonly until: number | null }>(
  'SELECT MIN(until) AS "until" FROM (SELECT MAX(expiration) AS until FROM key_signatures GROUP BY zone_id) ends',
);
const SETS = new Statement<SetKey>('SELECT DISTINCT type, digest FROM key_signatures WHERE zone_id = ?');
const WRITE = bulkUpsert(
  'key_signatures',
  { zone_id: 'text', type: 'integer', digest: 'text', tag: 'integer', inception: 'bigint' },
  { expiration: 'bigint', rrsig: 'text' },
);
const DELETE_SET = new Statement('DELETE FROM key_signatures WHERE zone_id = ? AND type = ? AND digest = ?');
const DELETE_LATER = new Statement(
  'DELETE FROM key_signatures WHERE zone_id = ? AND type = ? AND digest = ? AND tag = ? AND inception >= ?',
);
const COUNT = new Statement<{ readonly count: number }>(
  'SELECT COUNT(*) AS count FROM key_signatures WHERE zone_id = ?',
);
const DELETE_EXPIRED = new Statement('DELETE FROM key_signatures WHERE zone_id = ? AND expiration <= ?');
const DELETE = new Statement('DELETE FROM key_signatures WHERE zone_id = ?');

export function isOffline({ signer, sealed }: Pick<ZoneKeyEntity, 'signer' | 'sealed'>): boolean {
  return signer === null && sealed === null;
}

/** The signatures of offline KSKs that are valid now. */
export class PreparedSignatures {
  private readonly found = new Map<string, PreparedSignature>();

  /** @param valid by expiration @param next the inception of the next signature */
  constructor(
    valid: readonly Omit<KeySignatureEntity, 'zoneId'>[],
    next: readonly (SetKey & { readonly tag: number; readonly inception: number })[],
  ) {
    const starts = new Map(next.map((one) => [placeOf(one, one.tag), one.inception]));
    for (const one of valid) {
      const place = placeOf(one, one.tag);
      const dueAt = Math.min(one.expiration, starts.get(place) ?? Infinity);
      this.found.set(place, { rrsig: Buffer.from(one.rrsig, 'base64'), dueAt });
    }
  }

  of(set: Content, tag: number): PreparedSignature | null {
    return this.found.get(placeOf({ type: set.type, digest: digestOf(set) }, tag)) ?? null;
  }

  /** Whether all offline keys that sign the set have signed it. */
  has(set: Content, keys: readonly ZoneKeyEntity[]): boolean {
    return keys.every((key) => key.signsKeys === 0 || !isOffline(key) || this.of(set, key.tag) !== null);
  }
}

/** Stores the signatures of signed key responses. */
@Injectable()
export class KeyResponses {
  constructor(private readonly clock: Clock) {}

  /** `null`: the private keys of the zone are here. */
  async of(
    tx: Transaction,
    { zoneId, keyTtl }: Pick<ZoneSigningEntity, 'zoneId' | 'keyTtl'>,
  ): Promise<PreparedSignatures | null> {
    if (keyTtl === null) return null;
    const now = toUnixSeconds(this.clock.now());
    return new PreparedSignatures(await VALID.rows(tx, [zoneId, now, now]), await NEXT.rows(tx, [zoneId, now]));
  }

  /** Whether the offline keys have signed the DNSKEY set of these keys. */
  async cover(
    tx: Transaction,
    row: Pick<ZoneSigningEntity, 'zoneId' | 'keyTtl'>,
    keys: readonly ZoneKeyEntity[],
  ): Promise<boolean> {
    const prepared = await this.of(tx, row);
    return prepared === null || row.keyTtl === null || prepared.has(dnskeySetOf(keys, row.keyTtl), keys);
  }

  /** When the last signature of the DNSKEY set of these keys expires, in seconds since 1970; `null`: it has none. */
  async endOf(
    tx: Transaction,
    { zoneId, keyTtl }: Pick<ZoneSigningEntity, 'zoneId' | 'keyTtl'>,
    keys: readonly ZoneKeyEntity[],
  ): Promise<number | null> {
    if (keyTtl === null) return null;
    return (await END.first(tx, [zoneId, Type.DNSKEY, digestOf(dnskeySetOf(keys, keyTtl))]))?.until ?? null;
  }

  /** When the first zone has no more signatures, in seconds since 1970. */
  async firstEnd(tx: Transaction): Promise<number | null> {
    return (await FIRST_END.first(tx, []))?.until ?? null;
  }

  /**
   * Replaces later signatures, and forgets those of other sets. Returns how many the zone has.
   * @param wanted the sets that the zone has now or later
   */
  async store(
    tx: Transaction,
    zoneId: string,
    signatures: readonly KeySignatureEntity[],
    wanted: readonly Content[],
  ): Promise<number> {
    const kept = new Set(wanted.map((set) => placeOf({ type: set.type, digest: digestOf(set) })));
    for (const set of await SETS.rows(tx, [zoneId]))
      if (!kept.has(placeOf(set))) await DELETE_SET.run(tx, [zoneId, set.type, set.digest]);
    await DELETE_EXPIRED.run(tx, [zoneId, toUnixSeconds(this.clock.now())]);
    const first = new Map<string, KeySignatureEntity>();
    for (const one of signatures) {
      const known = first.get(placeOf(one, one.tag));
      if (known === undefined || one.inception < known.inception) first.set(placeOf(one, one.tag), one);
    }
    for (const { type, digest, tag, inception } of first.values())
      await DELETE_LATER.run(tx, [zoneId, type, digest, tag, inception]);
    await WRITE.runAll(tx, signatures);
    return Number((await COUNT.first(tx, [zoneId]))?.count);
  }

  forget(tx: Transaction, zoneId: string): Promise<void> {
    return DELETE.run(tx, [zoneId]);
  }
}

/** The DNSKEY set of the published keys, without its owner. */
export function dnskeySetOf(keys: readonly ZoneKeyEntity[], ttl: number): Content {
  const published = keys.filter(({ isPublished }) => isPublished === 1);
  return { type: Type.DNSKEY, ttl, rdatas: published.map(({ dnskey }) => Buffer.from(dnskey, 'base64')) };
}

function placeOf({ type, digest }: SetKey, tag?: number): string {
  return `${type} ${digest} ${tag ?? ''}`;
}
