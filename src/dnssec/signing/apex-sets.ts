import { Type } from '../../dns/dnssec/codes.js';
import { type Denial, NSEC3PARAM_RDATA } from '../../dns/dnssec/denial.js';
import { DIGEST_TYPES, dsRdata } from '../../dns/dnssec/dnskey.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import type { SigningState } from '../state/zone-signing.entity.js';

/** A change of keys has gone through caches after so long, in seconds. */
export const LONGEST_KEY_TTL = 3600;

/** What the sets that signing adds to the apex are made from. */
export interface ApexFacts {
  readonly zone: Pick<ZoneEntity, 'name' | 'ttl' | 'soaTtl'>;
  /** RDATA of the SOA with the serial under which the zone will be published. */
  readonly soa: Uint8Array;
  readonly keys: readonly ZoneKeyEntity[];
  readonly denial: Denial;
  readonly state: SigningState;
  readonly maxTtl: number;
}

/** In these states nobody may act on a CDS yet: caches may have answers without signatures. */
const UNPROVEN: ReadonlySet<SigningState> = new Set(['signing', 'proving']);

/** RFC 8078 §4: the parent is to have no DS any more. `0 0 0 00` and `0 3 0 AA==`. */
const NO_CDS = Uint8Array.of(0, 0, 0, 0, 0);
const NO_CDNSKEY = Uint8Array.of(0, 0, 3, 0, 0);

/** SOA, DNSKEY, and what speaks of them. */
export function apexSets({ zone, soa, keys, denial, state, maxTtl }: ApexFacts): WireSet[] {
  const owner = DomainName.parse(zone.name);
  const soaTtl = Math.min(servedSoaTtl(zone), maxTtl);
  const ttl = Math.min(zone.ttl, LONGEST_KEY_TTL);
  const published = keys.filter(({ isPublished }) => isPublished === 1).map(dnskeyOf);
  const entries = keys.filter(({ isInCds }) => isInCds === 1).map(dnskeyOf);
  const isLeaving = state === 'leaving';
  const isOffered = !UNPROVEN.has(state) && entries.length > 0;
  const cds = isLeaving ? [NO_CDS] : entries.map((key) => dsRdata(owner, key, DIGEST_TYPES.SHA256));
  return [
    { owner, type: Type.SOA, ttl: soaTtl, rdatas: [soa] },
    { owner, type: Type.DNSKEY, ttl, rdatas: published },
    ...(denial === 'nsec3' ? [{ owner, type: Type.NSEC3PARAM, ttl: 0, rdatas: [NSEC3PARAM_RDATA] }] : []),
    ...(isOffered
      ? [
          { owner, type: Type.CDS, ttl, rdatas: cds },
          { owner, type: Type.CDNSKEY, ttl, rdatas: isLeaving ? [NO_CDNSKEY] : entries },
        ]
      : []),
  ];
}

/** RFC 9077 §3: of NSEC and NSEC3, the lower of the SOA's ttl and its minimum. */
export function denialTtlOf(soa: Uint8Array, soaTtl: number): number {
  return Math.min(soaTtl, SOA.values(soa).minimum);
}
