import { type SigningAlgorithm, signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { readDnskey } from '../../dns/dnssec/dnskey.js';
import { CDNSKEY } from '../../dns/rdata/cdnskey.js';
import type { ZoneDnssec } from '../../dnssec/zone-dnssec.js';
import { dnskeyOf } from '../../dnssec/keys/zone-keys.js';
import type { ZoneKeyEntity } from '../../dnssec/keys/zone-key.entity.js';
import { delegationSigners } from '../../dnssec/zone-dnssec.js';

/** A key of a signed zone as PowerDNS shows it. Private keys are in no answer. */
export interface KeyView {
  readonly active: boolean;
  readonly algorithm: string;
  readonly bits: number;
  readonly dnskey: string;
  readonly ds: readonly string[];
  readonly flags: number;
  /** Its tag, which no other key of the zone has: clients expect a number. */
  readonly id: number;
  readonly keytype: string;
  readonly published: boolean;
  readonly type: 'Cryptokey';
}

export function toKeyView({ zone }: Pick<ZoneDnssec, 'zone'>, key: ZoneKeyEntity): KeyView {
  const dnskey = dnskeyOf(key);
  const { flags, publicField } = readDnskey(dnskey);
  const algorithm = signingAlgorithm(key.algorithm);
  return {
    active: key.signsKeys === 1 || key.signsZone === 1,
    algorithm: algorithm.mnemonic,
    bits: bitsOf(algorithm, publicField),
    // DNSKEY and CDNSKEY are written in the same way.
    dnskey: CDNSKEY.toText(dnskey),
    ds: delegationSigners({ zone, keys: [key] }),
    flags,
    id: key.tag,
    keytype: key.role,
    published: key.isPublished === 1,
    type: 'Cryptokey',
  };
}

/** Of an RSA modulus; keys of the other algorithms have 256. */
function bitsOf(algorithm: SigningAlgorithm, publicField: Uint8Array): number {
  return algorithm.publicKeyOf(publicField).asymmetricKeyDetails?.modulusLength ?? 256;
}
