import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Instant } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import type { ReadKey } from '../../dns/dnssec/bind-key.js';
import { dnskeyRdata, keyTag, readDnskey, SECURE_ENTRY_POINT, ZONE_KEY } from '../../dns/dnssec/dnskey.js';
import { SigningKey } from '../../dns/dnssec/signing-key.js';
import type { SigningKeys } from '../../dns/dnssec/zone-signer.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { usageOf } from './key-usage.js';
import { KeyVault, SealedShut } from './key-vault.js';
import type { KeyRole, ZoneKeyEntity } from './zone-key.entity.js';

/** So many keys are kept as they can be used at once: to read one takes as long as to sign forty times. */
const REMEMBERED = 10_000;

/** How many processors new keys of RSA may take, and how many of them those of one tenant; waits in milliseconds. */
const MAKING = { inAll: 2, perKey: 1, timeLimit: 10_000 };

/** Makes the keys of zones, and reads them. */
@Injectable()
export class ZoneKeys {
  private readonly known = new Map<string, SigningKey>();
  private readonly making = new FairLimiter(MAKING);

  constructor(private readonly vault: KeyVault) {}

  /**
   * Private keys for `make`, so that no transaction waits until they are made.
   * @throws ServiceError `unavailable` where others have keys made for too long
   */
  spare(tenantId: string, algorithm: number, count: number): Promise<KeyObject[]> {
    const signing = signingAlgorithm(algorithm);
    const make = (): Promise<KeyObject[]> => Promise.all(Array.from({ length: count }, () => signing.newPrivateKey()));
    return this.making.run(make, tenantId);
  }

  /**
   * A new key with a tag that no other of the zone has or had: signers that take one key for another have put whole
   * top-level domains out of service.
   * @param others all keys of the zone that are known
   * @param spare private keys that nobody has
   */
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
      const privateKey = spare.pop() ?? (await signing.newPrivateKey());
      const flags = role === 'zsk' ? ZONE_KEY : SECURE_ENTRY_POINT;
      const dnskey = dnskeyRdata({ flags, algorithm, publicField: signing.publicField(privateKey) });
      const tag = keyTag(dnskey);
      // Some programs take tag 0 for none.
      if (tag === 0 || taken.has(tag)) continue;
      return this.adopt(zone, role, { dnskey, privateKey }, now);
    }
  }

  /** A key that the zone had elsewhere. */
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

  /**
   * Those of the keys that sign now, by what they sign.
   * @throws SealedShut
   */
  signing(keys: readonly ZoneKeyEntity[]): SigningKeys {
    return {
      ofKeys: keys.filter(({ signsKeys }) => signsKeys === 1).map((key) => this.read(key)),
      ofZone: keys.filter(({ signsZone }) => signsZone === 1).map((key) => this.read(key)),
    };
  }

  private read(key: ZoneKeyEntity): SigningKey {
    const known = this.known.get(key.id);
    if (known !== undefined) return known;
    const read = new SigningKey(dnskeyOf(key), this.privateKeyOf(key));
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.set(key.id, read);
    return read;
  }
}

export function dnskeyOf({ dnskey }: Pick<ZoneKeyEntity, 'dnskey'>): Buffer {
  return Buffer.from(dnskey, 'base64');
}
