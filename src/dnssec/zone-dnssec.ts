import { formatInstant } from '../common/clock.js';
import { DIGEST_TYPES, dsRdata } from '../dns/dnssec/dnskey.js';
import { DomainName } from '../dns/name.js';
import { DS } from '../dns/rdata/ds.js';
import type { ZoneDnssec } from './dnssec.service.js';
import { dnskeyOf } from './keys/zone-keys.js';
import type { ZoneRolloverEntity } from './rollovers/zone-rollover.entity.js';
import type { SigningState, ZoneSigningEntity } from './state/zone-signing.entity.js';

/** What may be set in the parent zone, one or all of them; the data of DS records. */
export function delegationSigners({ zone, keys }: Pick<ZoneDnssec, 'zone' | 'keys'>): string[] {
  const apex = DomainName.parse(zone.name);
  const entries = keys.filter(({ isInCds }) => isInCds === 1).map(dnskeyOf);
  const digests = [DIGEST_TYPES.SHA256, DIGEST_TYPES.SHA384];
  return entries.flatMap((key) => digests.map((digest) => DS.toText(dsRdata(apex, key, digest))));
}

/** As interfaces say it. */
export type ShownState = SigningState | 'insecure' | 'halted';

export function shownState(signing: ZoneSigningEntity | null): ShownState {
  if (signing === null) return 'insecure';
  return signing.haltedBecause === null ? signing.state : 'halted';
}

/** What is waited for, in words; `null`: nothing. */
export function waitsFor({ signing, rollover }: Pick<ZoneDnssec, 'signing' | 'rollover'>): string | null {
  if (signing !== null && signing.haltedBecause !== null) return `somebody has to look: ${signing.haltedBecause}`;
  if (rollover !== null) return rolloverWaitsFor(rollover);
  switch (signing?.state) {
    case 'signing':
      return 'the first signatures are being made';
    case 'proving':
      return signing.readyAt === null
        ? 'every name server has to answer with the signed domain'
        : `caches may have answers without signatures until ${formatInstant(signing.readyAt)}`;
    case 'ready':
      return 'one of the DS records has to be set in the parent zone';
    case 'leaving':
      return signing.readyAt === null
        ? 'the DS records have to be removed from the parent zone'
        : `caches may have the DS until ${formatInstant(signing.readyAt)}`;
    default:
      return null;
  }
}

function rolloverWaitsFor({ step, kind, provenUntil, dsUntil }: ZoneRolloverEntity): string {
  if (provenUntil === null)
    return {
      publish: 'every name server has to answer with the new key in the DNSKEY set',
      swap: 'everything has to be signed with the new key, and every name server has to have that',
      remove: 'every name server has to answer without the old key',
    }[step];
  if (step === 'swap' && kind !== 'zsk' && dsUntil === null)
    return 'the DS of the new key has to take the place of that of the old one in the parent zone';
  const until = Math.max(provenUntil, dsUntil ?? 0);
  return `caches may have what was before until ${formatInstant(until)}`;
}
