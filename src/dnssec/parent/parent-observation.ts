import { DIGEST_TYPES, dsRdata } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import { DS } from '../../dns/rdata/dnssec.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import { awaitsDs } from '../rollovers/rollover-plan.js';
import type { ZoneRolloverEntity } from '../rollovers/zone-rollover.entity.js';
import { BEFORE_DS, type ZoneSigningEntity } from '../state/zone-signing.entity.js';

/** The DS records of a zone as its parent zone had them. Stored as JSON. */
export interface ParentObservation {
  readonly zone: string | null;
  readonly isHosted: boolean;
  readonly servers: readonly ServerObservation[];
  /** `null` for a hosted parent zone, which needs no resolver. */
  readonly resolver: ResolverObservation | null;
  /** Why no server was asked, or no DS was written. */
  readonly problem: string | null;
}

export interface ServerObservation {
  readonly name: string;
  /** DS data in presentation format, sorted; `null` without a valid answer. */
  readonly ds: readonly string[] | null;
  /** The DS TTL in seconds; `null` without a DS. */
  readonly ttl: number | null;
  /** The name servers that it delegates the zone to, sorted; `null` without a valid answer, absent in earlier rows. */
  readonly ns?: readonly string[] | null;
  readonly error: string | null;
}

/** `secure`: validated; `bogus`: invalid signatures, or the resolver got no answer; `silent`: the resolver did not answer. */
export type Verdict = 'secure' | 'insecure' | 'bogus' | 'silent';

export interface ResolverObservation {
  readonly verdict: Verdict;
  readonly ds: readonly string[] | null;
}

export const NOT_OBSERVABLE: ParentObservation = {
  ...{ zone: null, isHosted: false, servers: [], resolver: null },
  problem: 'no resolver is configured to observe the parent zone',
};

/** The DS set that all name servers have; `null` when they differ or one did not answer. */
export function agreedDs({ servers }: Pick<ParentObservation, 'servers'>): readonly string[] | null {
  const [first] = servers;
  if (first === undefined) return null;
  const wanted = first.ds?.join('\n');
  return servers.every(({ ds }) => ds !== null && ds.join('\n') === wanted) ? first.ds : null;
}

/** The longest DS TTL in seconds; `null` without a DS. */
export function longestTtl({ servers }: Pick<ParentObservation, 'servers'>): number | null {
  const ttls = servers.flatMap(({ ttl }) => (ttl === null ? [] : [ttl]));
  return ttls.length === 0 ? null : Math.max(...ttls);
}

/** The DS set that the parent zone needs before the zone can advance. */
export interface AwaitedDs {
  /** A DS of one of these keys; empty: no DS at all. */
  readonly of: readonly ZoneKeyEntity[];
  /** No DS of these keys. */
  readonly notOf: readonly ZoneKeyEntity[];
  /** A DS of each of the keys in `of`. */
  readonly isEach?: boolean;
}

export const NO_DS: AwaitedDs = { of: [], notOf: [] };

/** `null` when the zone waits for nothing in the parent zone. */
export function awaitedDs(
  row: Pick<ZoneSigningEntity, 'state'>,
  rollover: ZoneRolloverEntity | null,
  keys: readonly ZoneKeyEntity[],
): AwaitedDs | null {
  if (BEFORE_DS.has(row.state)) return null;
  if (row.state === 'leaving') return NO_DS;
  const entries = keys.filter(({ isInCds }) => isInCds === 1);
  const isAwaited = rollover !== null && awaitsDs(rollover);
  if (isAwaited && rollover.kind === 'join') return { of: entries, notOf: [], isEach: true };
  if (isAwaited && rollover.kind === 'leave') {
    const { signer } = keys.find(({ id }) => id === rollover.oldKeyId) ?? {};
    const own = entries.filter((key) => key.signer === null);
    return { of: own, notOf: keys.filter((key) => key.signer === signer && key.role !== 'zsk') };
  }
  if (isAwaited)
    return {
      of: keys.filter(({ id }) => id === rollover.newKeyId),
      notOf: keys.filter(({ id }) => id === rollover.oldKeyId),
    };
  return row.state === 'ready' ? { of: entries.filter(({ signer }) => signer === null), notOf: [] } : null;
}

export function isAsAwaited(zoneName: string, ds: readonly string[], { of, notOf, isEach }: AwaitedDs): boolean {
  if (of.length === 0) return ds.length === 0;
  const isHere = isEach === true ? of.every((key) => matches(zoneName, ds, [key])) : matches(zoneName, ds, of);
  return isHere && !ds.some((one) => notOf.some((key) => namesKey(one, key)));
}

/** Whether a DS belongs to a key that signs answers; `null` without a DS, or when servers differ. */
export function isOursAtParent(
  zoneName: string,
  agreed: readonly string[] | null,
  keys: readonly ZoneKeyEntity[],
): boolean | null {
  if (agreed === null || agreed.length === 0) return null;
  const signing = keys.filter(({ isPublished, signsKeys }) => isPublished === 1 && signsKeys === 1);
  return matches(zoneName, agreed, signing);
}

function matches(zoneName: string, ds: readonly string[], keys: readonly ZoneKeyEntity[]): boolean {
  const known = new Set(keys.flatMap((key) => dsTexts(zoneName, key)));
  return ds.some((one) => known.has(one));
}

/** The valid DS data of a key, one for each digest type. */
export function dsTexts(zoneName: string, key: Pick<ZoneKeyEntity, 'dnskey'>): string[] {
  const apex = DomainName.parse(zoneName);
  const digests = [DIGEST_TYPES.SHA256, DIGEST_TYPES.SHA384];
  return digests.map((digest) => DS.toText(dsRdata(apex, dnskeyOf(key), digest)));
}

/** Ignores the digest: validators select the key by tag and algorithm. */
function namesKey(ds: string, { tag, algorithm }: ZoneKeyEntity): boolean {
  return ds.startsWith(`${tag} ${algorithm} `);
}

/** The progress in the parent zone, the part of `waits_for` behind the colon. `null`: not observed. */
export function parentStatusText(
  zoneName: string,
  awaited: AwaitedDs,
  observation: ParentObservation | null,
): string | null {
  if (observation === null) return null;
  const { zone, servers, problem } = observation;
  if (problem !== null) return problem;
  const have = servers.filter(({ ds }) => ds !== null && isAsAwaited(zoneName, ds, awaited)).length;
  const count = `${have} of ${servers.length} name servers of ${zone ?? 'the parent zone'} ${have === 1 ? 'has' : 'have'}`;
  const wanted = awaited.of.length === 0 ? 'none' : 'it';
  const parts = [`${count} ${wanted}`, firstError(servers), resolverLag(zoneName, awaited, observation)];
  return parts.filter((part) => part !== null).join('; ');
}

function firstError(servers: readonly ServerObservation[]): string | null {
  const failed = servers.find(({ error }) => error !== null);
  return failed === undefined ? null : `${failed.name}: ${failed.error ?? ''}`;
}

/** Mentions the resolver only when all name servers agree. */
function resolverLag(zoneName: string, awaited: AwaitedDs, observation: ParentObservation): string | null {
  const agreed = agreedDs(observation);
  if (observation.resolver === null || agreed === null || !isAsAwaited(zoneName, agreed, awaited)) return null;
  const { verdict, ds } = observation.resolver;
  if (verdict === 'bogus') return 'the resolver cannot validate the DS (bogus)';
  if (verdict === 'silent') return 'the resolver does not answer';
  return ds !== null && isAsAwaited(zoneName, ds, awaited) ? null : 'the resolver still has the former DS';
}
