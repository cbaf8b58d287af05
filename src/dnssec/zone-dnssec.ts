import { formatInstant } from '../common/clock.js';
import { DIGEST_TYPES, dsRdata } from '../dns/dnssec/dnskey.js';
import { DomainName } from '../dns/name.js';
import { DS } from '../dns/rdata/ds.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import type { ZoneKeyEntity } from './keys/zone-key.entity.js';
import { dnskeyOf } from './keys/zone-keys.js';
import { awaitsDs, changesSigners } from './rollovers/rollover-plan.js';
import type { ZoneRolloverEntity } from './rollovers/zone-rollover.entity.js';
import { awaitedDs } from './parent/awaited-ds.js';
import { parentStatusText } from './parent/parent-status-text.js';
import type { SeenAtParent } from './parent/parent-status.js';
import type { SigningState, ZoneSigningEntity } from './state/zone-signing.entity.js';

/** How a zone stands to DNSSEC. */
export interface ZoneDnssec {
  readonly zone: Readonly<ZoneEntity>;
  /** `null`: it is not signed. */
  readonly signing: ZoneSigningEntity | null;
  /** Those that are in use. */
  readonly keys: readonly ZoneKeyEntity[];
  readonly rollover: ZoneRolloverEntity | null;
  /** What was seen in the parent zone; `null`: nobody has looked. */
  readonly parent: SeenAtParent | null;
  /** When the next signature is renewed, in seconds since 1970; `null` before there are any. */
  readonly nextRenewal: number | null;
}

/** What may be set in the parent zone, one or all of them; the data of DS records. */
export function delegationSigners({ zone, keys }: Pick<ZoneDnssec, 'zone' | 'keys'>): string[] {
  const apex = DomainName.parse(zone.name);
  const entries = keys.filter(({ isInCds }) => isInCds === 1).map(dnskeyOf);
  const digests = [DIGEST_TYPES.SHA256, DIGEST_TYPES.SHA384];
  return entries.flatMap((key) => digests.map((digest) => DS.toText(dsRdata(apex, key, digest))));
}

/** As interfaces say it. */
export type StateView = SigningState | 'insecure' | 'halted';

export function shownState(signing: ZoneSigningEntity | null): StateView {
  if (signing === null) return 'insecure';
  return signing.haltedBecause === null ? signing.state : 'halted';
}

/** What is waited for, in words; `null`: nothing. */
export function waitsFor(dnssec: ZoneDnssec): string | null {
  const { signing, rollover } = dnssec;
  if (signing !== null && signing.haltedBecause !== null) return `somebody has to look: ${signing.haltedBecause}`;
  if (rollover !== null) return rolloverWaitsFor(rollover, dnssec);
  switch (signing?.state) {
    case 'signing':
      return 'the first signatures are being made';
    case 'proving':
      return provingWaitsFor(signing);
    case 'ready':
      return withParent('one of the DS records has to be set in the parent zone', dnssec);
    case 'leaving':
      return signing.readyAt === null
        ? withParent('the DS records have to be removed from the parent zone', dnssec)
        : `caches may have the DS until ${formatInstant(signing.readyAt)}`;
    default:
      return null;
  }
}

function provingWaitsFor({ readyAt, formerUntil }: ZoneSigningEntity): string {
  if (readyAt === null) return 'every name server has to answer with the signed domain';
  const reason = readyAt === formerUntil ? ', since ttls were longer before' : '';
  return `caches may have answers without signatures until ${formatInstant(readyAt)}${reason}`;
}

/** With how far the parent is, where somebody has looked. */
function withParent(wait: string, { zone, signing, rollover, keys, parent }: ZoneDnssec): string {
  const awaited = signing && awaitedDs(signing, rollover, keys);
  const words = awaited && parentStatusText(zone.name, awaited, parent?.sight ?? null);
  return words === null ? wait : `${wait}: ${words}`;
}

function rolloverWaitsFor(rollover: ZoneRolloverEntity, dnssec: ZoneDnssec): string {
  const { step, provenUntil, dsUntil } = rollover;
  if (provenUntil === null)
    return {
      sign: 'everything has to be signed with both algorithms, and every name server has to have that',
      publish: 'every name server has to answer with the new key in the DNSKEY set',
      swap: changesSigners(rollover)
        ? 'everything has to be signed with the new key, and every name server has to have that'
        : 'every name server has to answer with CDS records of the new key',
      remove: 'every name server has to answer without the old key',
      unsign: 'everything has to be signed without the old keys, and every name server has to have that',
    }[step];
  if (awaitsDs(rollover) && dsUntil === null)
    return withParent('the DS of the new key has to take the place of that of the old one in the parent zone', dnssec);
  const until = Math.max(provenUntil, dsUntil ?? 0);
  return `caches may have what was before until ${formatInstant(until)}`;
}
