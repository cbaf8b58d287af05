import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Instant } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import type { ReadKey } from '../../dns/dnssec/key-files.js';
import { dnskeyRdata, keyTag, readDnskey, SECURE_ENTRY_POINT, ZONE_KEY, SigningKey } from '../../dns/dnssec/dnskey.js';
import { OfflineKey, type SigningKeys } from '../../dns/dnssec/rrsig.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { type KeyUsage, usageOf, type KeyRole, type ZoneKeyEntity } from './zone-key.entity.js';
import { isOffline, type PreparedSignatures } from './key-responses.js';
import { KeyVault, SealedShut } from './key-vault.js';

/** Decrypting a key takes as long as 40 signatures, so decrypted keys are cached. */
const MAX_CACHED = 10_000;

/** CPU limit for the generation of RSA keys; waits in milliseconds. */
const MAKING = { inAll: 2, perKey: 1, timeLimit: 10_000 };

@Injectable()
export class ZoneKeys {
  private readonly known = new Map<string, SigningKey>();
  private readonly making = new FairLimiter(MAKING);

  constructor(
    private readonly vault: KeyVault,
    private readonly options: DnssecOptions,
  ) {}

  /** Generates private keys for `make` before the transaction. */
  spare(tenantId: string, algorithm: number, count: number): Promise<KeyObject[]> {
    const signing = signingAlgorithm(algorithm);
    const make = (): Promise<KeyObject[]> =>
      Promise.all(Array.from({ length: count }, () => signing.newPrivateKey(this.options.rsaBits)));
    return this.making.run(make, tenantId);
  }

  /** No key of the zone has or had its tag: signers that confused keys of one tag broke top-level domains. */
  async make(
    zone: Pick<ZoneEntity, 'id' | 'nameKey' | 'tenantId'>,
    role: KeyRole,
    algorithm: number,
    others: readonly Pick<ZoneKeyEntity, 'tag'>[],
    now: Instant,
    spare: KeyObject[],
  ): Promise<ZoneKeyEntity> {
    const signing = signingAlgorithm(algorithm);
    const taken = new Set(others.map(({ tag }) => tag));
    for (;;) {
      const privateKey = spare.pop() ?? (await signing.newPrivateKey(this.options.rsaBits));
      const flags = role === 'zsk' ? ZONE_KEY : SECURE_ENTRY_POINT;
      const dnskey = dnskeyRdata({ flags, algorithm, publicField: signing.publicField(privateKey) });
      const tag = keyTag(dnskey);
      // Some programs treat tag 0 as missing.
      if (tag === 0 || taken.has(tag)) continue;
      return this.adopt(zone, role, { dnskey, privateKey }, now);
    }
  }

  /** A key of a former signer. */
  adopt(
    zone: Pick<ZoneEntity, 'id' | 'nameKey' | 'tenantId'>,
    role: KeyRole,
    { dnskey, privateKey }: Pick<ReadKey, 'dnskey' | 'privateKey'>,
    now: Instant,
  ): ZoneKeyEntity {
    const id = timeOrderedUuid(now);
    return {
      ...{ id, zoneId: zone.id, nameKey: zone.nameKey, tenantId: zone.tenantId, role },
      ...{ algorithm: readDnskey(dnskey).algorithm, tag: keyTag(dnskey) },
      dnskey: Buffer.from(dnskey).toString('base64'),
      signer: null,
      ...this.vault.seal(privateKey, { id, zoneId: zone.id }),
      ...usageOf(role),
      ...{ createdAt: now, retiredAt: null },
    };
  }

  /** @throws SealedShut */
  privateKeyOf(key: ZoneKeyEntity): KeyObject {
    const { sealed, sealedWith, tag } = key;
    if (sealed === null || sealedWith === null) throw new SealedShut(`the key ${tag} has no private part`);
    return this.vault.open({ sealed, sealedWith }, key);
  }

  /** @param prepared signatures of offline keys @throws SealedShut */
  signing(keys: readonly ZoneKeyEntity[], prepared: PreparedSignatures | null): SigningKeys {
    const offline = (key: ZoneKeyEntity): OfflineKey =>
      new OfflineKey(dnskeyOf(key), (set, tag) => prepared?.of(set, tag) ?? null);
    return {
      ofKeys: keys
        .filter(({ signsKeys }) => signsKeys === 1)
        .map((key) => (isOffline(key) ? offline(key) : this.read(key))),
      ofZone: keys.filter(({ signsZone }) => signsZone === 1).map((key) => this.read(key)),
    };
  }

  private read(key: ZoneKeyEntity): SigningKey {
    const known = this.known.get(key.id);
    if (known !== undefined) return known;
    const read = new SigningKey(dnskeyOf(key), this.privateKeyOf(key));
    if (this.known.size >= MAX_CACHED) this.known.clear();
    this.known.set(key.id, read);
    return read;
  }
}

/** A key whose private key is elsewhere: of another signer, or an offline KSK. */
export function withoutPrivateKey(
  zone: Pick<ZoneEntity, 'id' | 'nameKey' | 'tenantId'>,
  { role, dnskey, signer }: Pick<ZoneKeyEntity, 'role' | 'signer'> & { readonly dnskey: Uint8Array },
  usage: KeyUsage,
  now: Instant,
): ZoneKeyEntity {
  return {
    ...{ id: timeOrderedUuid(now), zoneId: zone.id, nameKey: zone.nameKey, tenantId: zone.tenantId, role },
    ...{ algorithm: readDnskey(dnskey).algorithm, tag: keyTag(dnskey) },
    ...{ dnskey: Buffer.from(dnskey).toString('base64'), signer, sealed: null, sealedWith: null },
    ...{ ...usage, createdAt: now, retiredAt: null },
  };
}

export function dnskeyOf({ dnskey }: Pick<ZoneKeyEntity, 'dnskey'>): Buffer {
  return Buffer.from(dnskey, 'base64');
}
