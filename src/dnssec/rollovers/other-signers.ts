import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { keyTag, PublishedKey, readDnskey, SECURE_ENTRY_POINT, ZONE_KEY } from '../../dns/dnssec/dnskey.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { type KeyUsage, UNUSED, type ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { withoutPrivateKey } from '../keys/zone-keys.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import type { RolloverKind } from './zone-rollover.entity.js';

/** Each signer adds keys to every answer with the DNSKEY set. */
const MOST_SIGNERS = 3;

interface JoiningSigner {
  readonly signer: string;
  /** DNSKEY RDATA. */
  readonly dnskeys: readonly Uint8Array[];
}

/**
 * The keys of another signer that serves the zone too (RFC 8901).
 * @throws ServiceError `signing_conflict`, `invalid_object` for unusable keys
 */
export function joiningKeys(
  zone: Readonly<ZoneEntity>,
  row: ZoneSigningEntity,
  { signer, dnskeys }: JoiningSigner,
  all: readonly ZoneKeyEntity[],
  now: Instant,
): ZoneKeyEntity[] {
  const present = all.filter(({ retiredAt }) => retiredAt === null);
  const signers = new Set(present.flatMap((key) => key.signer ?? []));
  if (signers.has(signer))
    throw conflict(`${zone.name} has a signer ${signer} already: use another name, or end that one first.`);
  if (signers.size >= MOST_SIGNERS)
    throw conflict(`${zone.name} has ${MOST_SIGNERS} other signers, which is the limit.`);
  const keys = dnskeys.map((dnskey) => assertUsable('dnskeys', dnskey, row.algorithm));
  // RFC 8901, model 1: all signers have the same KSK, which is offline.
  if (!keys.some(({ flags }) => flags === SECURE_ENTRY_POINT) && row.keyTtl === null)
    throw invalid('dnskeys', 'Send the key with the flags 257 too: its DS has to be in the parent zone.');
  const tags = new Set<number>();
  return keys.map(({ dnskey, flags, tag }) => {
    assertFreeTag(zone, dnskey, all);
    if (tags.has(tag)) throw tagTaken(zone, tag);
    tags.add(tag);
    const role = flags === SECURE_ENTRY_POINT ? 'ksk' : 'zsk';
    return withoutPrivateKey(zone, { role, dnskey, signer }, UNUSED, now);
  });
}

/** A retired key may come back. @throws ServiceError `signing_conflict` */
function assertFreeTag(
  zone: Readonly<Pick<ZoneEntity, 'name'>>,
  dnskey: Uint8Array,
  all: readonly ZoneKeyEntity[],
): void {
  const tag = keyTag(dnskey);
  const text = Buffer.from(dnskey).toString('base64');
  if (all.some((key) => key.tag === tag && (key.retiredAt === null || key.dnskey !== text))) throw tagTaken(zone, tag);
}

function tagTaken({ name }: Readonly<Pick<ZoneEntity, 'name'>>, tag: number): ServiceError {
  return conflict(`Another key of ${name} has the tag ${tag}: a key with another tag is needed.`);
}

/**
 * A KSK whose private key is elsewhere.
 * @param algorithm of the zone; `null`: that of the key
 * @throws ServiceError `signing_conflict`, `invalid_object` for an unusable key
 */
export function offlineKsk(
  zone: Readonly<ZoneEntity>,
  field: string,
  { dnskey, algorithm }: { readonly dnskey: Uint8Array; readonly algorithm: number | null },
  all: readonly ZoneKeyEntity[],
  usage: KeyUsage,
  now: Instant,
): ZoneKeyEntity {
  const { flags } = assertUsable(field, dnskey, algorithm ?? readDnskey(dnskey).algorithm);
  if (flags !== SECURE_ENTRY_POINT) throw invalid(field, 'A KSK has the flags 257.');
  assertFreeTag(zone, dnskey, all);
  return withoutPrivateKey(zone, { role: 'ksk', dnskey, signer: null }, usage, now);
}

/** `null`: no other signer has keys in use. */
export function otherSignerIn(keys: readonly ZoneKeyEntity[]): string | null {
  return keys.find(({ signer, retiredAt }) => signer !== null && retiredAt === null)?.signer ?? null;
}

/** @throws ServiceError `signing_conflict` for an unknown signer */
export function keysOfSigner(
  { name }: Readonly<ZoneEntity>,
  signer: string,
  all: readonly ZoneKeyEntity[],
): ZoneKeyEntity[] {
  const keys = all.filter((key) => key.retiredAt === null && key.signer === signer);
  if (keys.length === 0) throw conflict(`${name} has no other signer ${signer}.`);
  return keys;
}

/**
 * Another signer needs a new ZSK in its DNSKEY set before it signs here, and all signers need one algorithm (RFC 8901 §4 and §6).
 * @throws ServiceError `signing_conflict`
 */
export function assertNotShared(
  { name }: Readonly<ZoneEntity>,
  kind: RolloverKind,
  present: readonly ZoneKeyEntity[],
): void {
  const other = otherSignerIn(present);
  if (other === null || kind === 'ksk') return;
  throw conflict(
    `${other} signs ${name} too, and does not publish the new key: let it leave, roll the key, and let it join again.`,
  );
}

function assertUsable(field: string, dnskey: Uint8Array, algorithm: number): PublishedKey {
  const { flags, algorithm: found } = readDnskey(dnskey);
  if (flags !== SECURE_ENTRY_POINT && flags !== ZONE_KEY) throw invalid(field, `Flags are 256 or 257, not ${flags}.`);
  if (found !== algorithm)
    throw invalid(
      field,
      `All keys of the domain have one algorithm, here ${signingAlgorithm(algorithm).mnemonic} (RFC 8901 §4).`,
    );
  try {
    return new PublishedKey(dnskey);
  } catch (error) {
    throw invalid(
      field,
      `The key ${keyTag(dnskey)} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function invalid(field: string, message: string): ServiceError {
  return ServiceError.ofField('invalid_object', field, 'format', `${field}: ${message}`);
}

function conflict(message: string): ServiceError {
  return new ServiceError('signing_conflict', message);
}
