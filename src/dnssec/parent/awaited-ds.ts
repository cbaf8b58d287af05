import { DIGEST_TYPES, dsRdata } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import { DS } from '../../dns/rdata/ds.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import { awaitsDs } from '../rollovers/rollover-plan.js';
import type { ZoneRolloverEntity } from '../rollovers/zone-rollover.entity.js';
import { BEFORE_DS, type ZoneSigningEntity } from '../state/zone-signing.entity.js';

/** What the parent zone has to have before the zone can go on. */
export interface AwaitedDs {
  /** A DS of one of them; where there are none, no DS at all. */
  readonly of: readonly ZoneKeyEntity[];
  /** And none of these. */
  readonly notOf: readonly ZoneKeyEntity[];
}

/** `null` where nothing is waited for at the parent. */
export function awaitedDs(
  row: Pick<ZoneSigningEntity, 'state'>,
  rollover: ZoneRolloverEntity | null,
  keys: readonly ZoneKeyEntity[],
): AwaitedDs | null {
  if (BEFORE_DS.has(row.state)) return null;
  if (row.state === 'leaving') return { of: [], notOf: [] };
  if (rollover !== null && awaitsDs(rollover))
    return {
      of: keys.filter(({ id }) => id === rollover.newKeyId),
      notOf: keys.filter(({ id }) => id === rollover.oldKeyId),
    };
  return row.state === 'ready' ? { of: keys.filter(({ isInCds }) => isInCds === 1), notOf: [] } : null;
}

export function isAsAwaited(zoneName: string, ds: readonly string[], { of, notOf }: AwaitedDs): boolean {
  if (of.length === 0) return ds.length === 0;
  return matches(zoneName, ds, of) && !ds.some((one) => notOf.some((key) => namesKey(one, key)));
}

/** Whether one of the DS is that of one of the keys. */
export function matches(zoneName: string, ds: readonly string[], keys: readonly ZoneKeyEntity[]): boolean {
  const known = new Set(keys.flatMap((key) => dsTexts(zoneName, key)));
  return ds.some((one) => known.has(one));
}

/** Every DS that is good for the key, as data of a record. */
export function dsTexts(zoneName: string, key: Pick<ZoneKeyEntity, 'dnskey'>): string[] {
  const apex = DomainName.parse(zoneName);
  const digests = [DIGEST_TYPES.SHA256, DIGEST_TYPES.SHA384];
  return digests.map((digest) => DS.toText(dsRdata(apex, dnskeyOf(key), digest)));
}

/** Whichever digest it has: validators try the key by tag and algorithm. */
function namesKey(ds: string, { tag, algorithm }: ZoneKeyEntity): boolean {
  return ds.startsWith(`${tag} ${algorithm} `);
}
