import { Injectable } from '@nestjs/common';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Instant } from '../../common/clock.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { dnskeyRdata, keyTag, SECURE_ENTRY_POINT, ZONE_KEY } from '../../dns/dnssec/dnskey.js';
import { SigningKey } from '../../dns/dnssec/signing-key.js';
import type { SigningKeys } from '../../dns/dnssec/zone-signer.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { KeyVault, SealedShut } from './key-vault.js';
import type { KeyRole, ZoneKeyEntity } from './zone-key.entity.js';

/** So many keys are kept as they can be used at once: to read one takes as long as to sign forty times. */
const REMEMBERED = 10_000;

/** Makes the keys of zones, and reads them. */
@Injectable()
export class ZoneKeys {
  private readonly known = new Map<string, SigningKey>();

  constructor(private readonly vault: KeyVault) {}

  /**
   * A new key with a tag that no other of the zone has or had: signers that take one key for another have put whole
   * top-level domains out of service.
   * @param others all keys of the zone that are known
   */
  make(
    zone: Pick<ZoneEntity, 'id' | 'nameKey' | 'tenantId'>,
    role: KeyRole,
    algorithm: number,
    others: readonly Pick<ZoneKeyEntity, 'tag'>[],
    now: Instant,
  ): ZoneKeyEntity {
    const signing = signingAlgorithm(algorithm);
    const taken = new Set(others.map(({ tag }) => tag));
    for (;;) {
      const privateKey = signing.newPrivateKey();
      const flags = role === 'zsk' ? ZONE_KEY : SECURE_ENTRY_POINT;
      const dnskey = dnskeyRdata({ flags, algorithm, publicField: signing.publicField(privateKey) });
      const tag = keyTag(dnskey);
      // Some programs take tag 0 for none.
      if (tag === 0 || taken.has(tag)) continue;
      const id = timeOrderedUuid(now);
      return {
        ...{ id, zoneId: zone.id, nameKey: zone.nameKey, tenantId: zone.tenantId, role, algorithm, tag },
        dnskey: Buffer.from(dnskey).toString('base64'),
        ...this.vault.seal(privateKey, { id, zoneId: zone.id }),
        ...{ isPublished: 1, signsKeys: role === 'zsk' ? 0 : 1, signsZone: role === 'ksk' ? 0 : 1 },
        ...{ isInCds: role === 'zsk' ? 0 : 1, createdAt: now, retiredAt: null },
      };
    }
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
    const { sealed, sealedWith } = key;
    if (sealed === null || sealedWith === null) throw new SealedShut(`the key ${key.tag} has no private part`);
    const read = new SigningKey(dnskeyOf(key), this.vault.open({ sealed, sealedWith }, key));
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.set(key.id, read);
    return read;
  }
}

export function dnskeyOf({ dnskey }: Pick<ZoneKeyEntity, 'dnskey'>): Buffer {
  return Buffer.from(dnskey, 'base64');
}
