import { formatInstant, type Instant } from '../common/clock.js';
import { DIGEST_TYPES, dsRdata } from '../dns/dnssec/dnskey.js';
import { DomainName } from '../dns/name.js';
import { DS } from '../dns/rdata/dnssec.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import type { ZoneKeyEntity } from './keys/zone-key.entity.js';
import { dnskeyOf } from './keys/zone-keys.js';
import type { KeyLifetimes } from './rollovers/key-lifetimes.js';
import { awaitsDs, changesSigners } from './rollovers/rollover-plan.js';
import type { RolloverStep, ZoneRolloverEntity } from './rollovers/zone-rollover.entity.js';
import { awaitedDs, parentStatusText } from './parent/parent-observation.js';
import type { StoredObservation } from './parent/zone-parent.repository.js';
import type { SigningState, ZoneSigningEntity } from './state/zone-signing.entity.js';

interface KeyResponseState {
  /** Whether the zone waits for a signed key response. */
  readonly isAwaited: boolean;
  /** When the last signature of the present keys expires, in seconds since 1970; `null`: there is none. */
  readonly until: number | null;
}

export interface ZoneDnssec {
  readonly zone: Readonly<ZoneEntity>;
  /** `null`: unsigned. */
  readonly signing: ZoneSigningEntity | null;
  readonly keys: readonly ZoneKeyEntity[];
  readonly lifetimes: KeyLifetimes;
  /** Of a zone whose KSK is offline; `null`: of no other zone. */
  readonly response: KeyResponseState | null;
  readonly rollover: ZoneRolloverEntity | null;
  readonly parent: StoredObservation | null;
  /** When the next signature is due, in seconds since 1970; `null` before the first signature. */
  readonly nextRenewal: number | null;
}

/** The DS data for the parent zone, which needs at least one of them. */
export function delegationSigners({ zone, keys }: Pick<ZoneDnssec, 'zone' | 'keys'>): string[] {
  const apex = DomainName.parse(zone.name);
  const entries = keys.filter(({ isInCds }) => isInCds === 1).map(dnskeyOf);
  const digests = [DIGEST_TYPES.SHA256, DIGEST_TYPES.SHA384];
  return entries.flatMap((key) => digests.map((digest) => DS.toText(dsRdata(apex, key, digest))));
}

export function shownState(signing: ZoneSigningEntity | null): SigningState | 'insecure' | 'halted' {
  if (signing === null) return 'insecure';
  return signing.haltedBecause === null ? signing.state : 'halted';
}

export const WAIT_EVENTS = ['signatures', 'name_servers', 'caches', 'parent', 'operator'] as const;

interface Wait {
  readonly event: (typeof WAIT_EVENTS)[number];
  readonly text: string;
  /** When caches have expired the former data; `null`: unknown, or another event. */
  readonly until: Instant | null;
}

/** The event that the zone waits for; `null`: none. */
export function waitOf(dnssec: ZoneDnssec): Wait | null {
  const { signing, rollover } = dnssec;
  if (signing !== null && signing.haltedBecause !== null)
    return waitFor('operator', `an operator must act: ${signing.haltedBecause}`);
  if (dnssec.response?.isAwaited === true)
    return waitFor('operator', 'an operator must act: have the offline KSK sign the keys, and import the response');
  if (rollover !== null) return waitOfRollover(rollover, dnssec);
  switch (signing?.state) {
    case 'signing':
      return waitFor('signatures', 'the first signatures');
    case 'proving':
      return waitOfProving(signing);
    case 'ready':
      return waitFor('parent', withParent('the parent zone must have one of the DS records', dnssec));
    case 'leaving':
      return signing.readyAt === null
        ? waitFor('parent', withParent('the parent zone must delete the DS records', dnssec))
        : waitFor('caches', `caches may have the DS until ${formatInstant(signing.readyAt)}`, signing.readyAt);
    default:
      return null;
  }
}

export function waitsFor(dnssec: ZoneDnssec): string | null {
  return waitOf(dnssec)?.text ?? null;
}

function waitFor(event: Wait['event'], text: string, until: Instant | null = null): Wait {
  return { event, text, until };
}

function waitOfProving({ readyAt, formerUntil }: ZoneSigningEntity): Wait {
  if (readyAt === null) return waitFor('name_servers', 'every name server must answer with the signed domain');
  const reason = readyAt === formerUntil ? ', because former TTLs were longer' : '';
  return waitFor(
    'caches',
    `caches may have answers without signatures until ${formatInstant(readyAt)}${reason}`,
    readyAt,
  );
}

function withParent(wait: string, { zone, signing, rollover, keys, parent }: ZoneDnssec): string {
  const awaited = signing && awaitedDs(signing, rollover, keys);
  const words = awaited && parentStatusText(zone.name, awaited, parent?.observation ?? null);
  return words === null ? wait : `${wait}: ${words}`;
}

function waitOfRollover(rollover: ZoneRolloverEntity, dnssec: ZoneDnssec): Wait {
  const { step, provenUntil, dsUntil } = rollover;
  if (provenUntil === null) {
    const proofs = {
      prepare: 'the next step begins within a minute',
      sign: 'every name server must answer with signatures of both algorithms',
      publish: 'every name server must answer with the new key in the DNSKEY set',
      swap: changesSigners(rollover)
        ? 'every name server must answer with signatures of the new key'
        : 'every name server must answer with CDS records of the new key',
      remove: 'every name server must answer without the old key',
      unsign: 'every name server must answer without signatures of the old keys',
      withdraw: 'every name server must be up to date',
    };
    return waitFor('name_servers', PROOFS_OF_SIGNERS[rollover.kind]?.[step] ?? proofs[step]);
  }
  if (awaitsDs(rollover) && dsUntil === null)
    return waitFor('parent', withParent(DS_OF_SIGNERS[rollover.kind] ?? NEW_DS, dnssec));
  const until = Math.max(provenUntil, dsUntil ?? 0);
  return waitFor('caches', `caches may have the former data until ${formatInstant(until)}`, until);
}

const NEW_DS = 'the parent zone must replace the DS of the old key by the DS of the new key';
const DS_OF_SIGNERS: Readonly<Record<string, string>> = {
  join: 'the parent zone must have the DS of both signers',
  leave: 'the parent zone must have no DS of the leaving signer',
};
const PROOFS_OF_SIGNERS: Readonly<Record<string, Partial<Record<RolloverStep, string>>>> = {
  join: {
    publish: 'every name server must answer with the keys of the joining signer in the DNSKEY set',
    swap: 'every name server must answer with CDS records of both signers',
  },
  leave: {
    swap: 'every name server must answer without CDS records of the leaving signer',
    remove: 'every name server must answer without the keys of the leaving signer',
  },
};
