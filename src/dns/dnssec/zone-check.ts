import type { DomainName } from '../name.js';
import { typeName } from '../rdata/type-names.js';
import { Type } from './codes.js';
import { SECURE_ENTRY_POINT } from './dnskey.js';
import { speaksOfKeys } from './key-sets.js';
import { isSignatureOf, readRrsig } from './rrsig.js';
import { type NameSets, setsToSign, type ZoneForm } from './whole-zone.js';
import { PublishedKey } from './signing-key.js';
import type { WireSet } from './wire-set.js';

/** A set as it is published: of sets that signing makes its own records, and of all their signatures. */
export interface PublishedSet extends WireSet {
  readonly signatures: readonly Uint8Array[];
}

/** What is published beside the zone's own records. */
export interface PublishedSets {
  /** Those of the sets that there are. */
  at(sets: readonly WireSet[]): Promise<readonly PublishedSet[]>;
  /** How many there are. */
  count(): Promise<number>;
}

/** What is wrong with a signed zone. */
export interface ZoneFault {
  readonly owner: DomainName;
  /** Its code. */
  readonly type: number;
  readonly what: string;
}

type IsMade = (set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName) => boolean;

const HALF = 2 ** 31;

/**
 * Looks at a signed zone as a validating resolver would, and at more: everything that must be signed has signatures that count
 * now, of each algorithm, and the chain has all names and no others. It makes nothing itself of what is published.
 * @param names with all their sets, as `setsToSign` takes them
 * @param isMade tells sets of which the records are published too, from those of the zone
 * @param now in seconds since 1970
 * @param hidden keys that may sign without being published, as in a rollover to another algorithm
 */
export async function* faultsOfZone(
  form: ZoneForm,
  names: AsyncIterable<readonly NameSets[]>,
  published: PublishedSets,
  isMade: IsMade,
  now: number,
  hidden: readonly PublishedKey[] = [],
): AsyncGenerator<ZoneFault> {
  let keys: readonly PublishedKey[] = [];
  let count = 0;
  for await (const wanted of setsToSign(form, names)) {
    const found = new Map((await published.at(wanted)).map((set) => [placeOf(set), set]));
    for (const set of wanted) {
      if (set.type === Type.DNSKEY) keys = set.rdatas.map((rdata) => new PublishedKey(rdata));
      const there = found.get(placeOf(set));
      if (there === undefined) yield { ...set, what: 'is not signed' };
      else count += 1;
    }
    // The keys stand at the apex, which comes first.
    for (const set of wanted) {
      const there = found.get(placeOf(set));
      if (there !== undefined)
        for (const what of faultsOfSet(set, there, { keys, hidden }, form.apex, isMade, now)) yield { ...set, what };
    }
  }
  const superfluous = (await published.count()) - count;
  if (superfluous > 0)
    yield { owner: form.apex, type: Type.RRSIG, what: `is there for ${superfluous} sets that must not be signed` };
}

function* faultsOfSet(
  set: WireSet,
  there: PublishedSet,
  { keys, hidden }: { readonly keys: readonly PublishedKey[]; readonly hidden: readonly PublishedKey[] },
  apex: DomainName,
  isMade: IsMade,
  now: number,
): Generator<string> {
  if (isMade(set, apex) && !isSameRdatas(set.rdatas, there.rdatas)) yield 'says something else than it must';
  if (set.ttl !== there.ttl) yield `has a ttl of ${set.ttl}, and signatures for one of ${there.ttl}`;
  const algorithms = new Set(keys.map(({ algorithm }) => algorithm));
  for (const rrsig of there.signatures) {
    const { inception, expiration, tag } = readRrsig(rrsig);
    if (isAfter(inception, now)) yield `has a signature of key ${tag} that does not count yet`;
    if (isAfter(now, expiration)) yield `has a signature of key ${tag} that has ended`;
    const signer = [...keys, ...hidden].find((key) => mayBy(key, set, apex) && isSignatureOf(rrsig, set, key, apex));
    if (signer === undefined) yield `has a signature of key ${tag} that none of the published keys verifies`;
    else algorithms.delete(signer.algorithm);
  }
  for (const algorithm of algorithms) yield `has no signature of algorithm ${algorithm}`;
}

/** RFC 7344 §4.1: what speaks of keys is signed by one that a DS refers to. */
function mayBy({ flags }: PublishedKey, set: WireSet, apex: DomainName): boolean {
  return !speaksOfKeys(set, apex) || flags === SECURE_ENTRY_POINT;
}

/** RFC 4034 §3.1.5: times turn over. */
function isAfter(one: number, other: number): boolean {
  const lead = (one - other) >>> 0;
  return lead > 0 && lead < HALF;
}

function isSameRdatas(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  const texts = [one, other].map((rdatas) =>
    rdatas
      .map((rdata) => Buffer.from(rdata).toString('hex'))
      .sort()
      .join(' '),
  );
  return texts[0] === texts[1];
}

function placeOf({ owner, type }: WireSet): string {
  return `${type} ${owner.key}`;
}

export function describeFault({ owner, type, what }: ZoneFault): string {
  return `${owner.toString()} ${typeName(type)} ${what}`;
}
