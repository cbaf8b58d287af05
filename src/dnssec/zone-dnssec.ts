import { formatInstant } from '../common/clock.js';
import { DIGEST_TYPES, dsRdata } from '../dns/dnssec/dnskey.js';
import { DomainName } from '../dns/name.js';
import { DS } from '../dns/rdata/ds.js';
import type { ZoneDnssec } from './dnssec.service.js';
import { dnskeyOf } from './keys/zone-keys.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';

/** What may be set in the parent zone, one or all of them; the data of DS records. */
export function delegationSigners({ zone, keys }: Pick<ZoneDnssec, 'zone' | 'keys'>): string[] {
  const apex = DomainName.parse(zone.name);
  const entries = keys.filter(({ role }) => role !== 'zsk').map(dnskeyOf);
  const digests = [DIGEST_TYPES.SHA256, DIGEST_TYPES.SHA384];
  return entries.flatMap((key) => digests.map((digest) => DS.toText(dsRdata(apex, key, digest))));
}

/** What is waited for, in words; `null`: nothing. */
export function waitsFor(signing: ZoneSigningEntity | null): string | null {
  switch (signing?.state) {
    case 'signing':
      return 'the first signatures are being made';
    case 'proving':
      return signing.readyAt === null
        ? 'every name server has to answer with the signed domain'
        : `caches may have answers without signatures until ${formatInstant(signing.readyAt)}`;
    case 'ready':
      return 'one of the DS records has to be set in the parent zone';
    case 'halted':
      return signing.haltedBecause;
    default:
      return null;
  }
}
