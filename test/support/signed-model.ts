import type { KeyObject } from 'node:crypto';
import { SigningKey, dnskeyRdata, SECURE_ENTRY_POINT } from '../../src/dns/dnssec/dnskey.js';
import { signingAlgorithm } from '../../src/dns/dnssec/algorithms.js';
import { chainSets, type ChainLink, patchChain, type StoredChain } from '../../src/dns/dnssec/chain.js';
import { changedNames, type PresentRecords } from '../../src/dns/dnssec/changed-zone.js';
import { chainKind, type Denial, NSEC3PARAM_RDATA } from '../../src/dns/dnssec/denial.js';
import { signaturesOf, type Validity } from '../../src/dns/dnssec/rrsig.js';
import { type NameSets, setsToSign, type ZoneForm } from '../../src/dns/dnssec/whole-zone.js';
import type { WireSet } from '../../src/dns/dnssec/wire-set.js';
import type { PublishedSet } from '../../src/dns/dnssec/zone-check.js';
import { genericText } from './dnssec-judges.js';
import { isKeyWithin } from '../../src/dns/name-key.js';
import { DomainName } from '../../src/dns/name.js';

const RRSIG = 46;
const DNSKEY = 48;
const NSEC3PARAM = 51;
const DENIAL_TTL = 300;

export async function newPrivateKeyOf(
  algorithm: number,
): Promise<{ readonly dnskey: Uint8Array; readonly privateKey: KeyObject }> {
  const privateKey = await signingAlgorithm(algorithm).newPrivateKey();
  const publicField = signingAlgorithm(algorithm).publicField(privateKey);
  return { dnskey: dnskeyRdata({ flags: SECURE_ENTRY_POINT, algorithm, publicField }), privateKey };
}

export async function newSigningKey(algorithm: number): Promise<SigningKey> {
  const { dnskey, privateKey } = await newPrivateKeyOf(algorithm);
  return new SigningKey(dnskey, privateKey);
}

/** The records of a zone in memory, by the keys of their owner names. */
class MemoryRecords implements PresentRecords {
  readonly names = new Map<string, Map<number, WireSet>>();

  put(set: WireSet): void {
    const sets = this.names.get(set.owner.key) ?? new Map<number, WireSet>();
    this.names.set(set.owner.key, sets.set(set.type, set));
  }

  remove(key: string, type: number): void {
    const sets = this.names.get(key);
    sets?.delete(type);
    if (sets?.size === 0) this.names.delete(key);
  }

  setsAt(keys: readonly string[]): Promise<ReadonlyMap<string, NameSets>> {
    return Promise.resolve(
      new Map(
        keys.flatMap((key) => {
          const [first, ...others] = this.names.get(key)?.values() ?? [];
          return first === undefined ? [] : [[key, [first, ...others]] as const];
        }),
      ),
    );
  }

  typesAt(keys: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    return Promise.resolve(
      new Map(
        keys.flatMap((key) => {
          const sets = this.names.get(key);
          return sets === undefined ? [] : [[key, [...sets.keys()]] as const];
        }),
      ),
    );
  }

  namesBelow(key: string, most: number): Promise<readonly string[]> {
    const below = [...this.names.keys()].filter((name) => name !== key && isKeyWithin(name, key));
    return Promise.resolve(below.slice(0, most));
  }

  async *inOrder(): AsyncGenerator<readonly NameSets[]> {
    yield [...(await this.setsAt([...this.names.keys()].sort())).values()];
  }
}

class MemoryChain implements StoredChain {
  private readonly links: readonly ChainLink[];

  constructor(links: Iterable<ChainLink>) {
    this.links = [...links].sort((one, other) => (one.owner.key < other.owner.key ? -1 : 1));
  }

  at(keys: readonly string[]): Promise<ChainLink[]> {
    return Promise.resolve(this.links.filter(({ owner }) => keys.includes(owner.key)));
  }

  before(key: string): Promise<ChainLink | null> {
    return Promise.resolve(this.links.findLast(({ owner }) => owner.key < key) ?? null);
  }

  after(key: string): Promise<ChainLink | null> {
    return Promise.resolve(this.links.find(({ owner }) => owner.key > key) ?? null);
  }

  first(): Promise<ChainLink | null> {
    return Promise.resolve(this.links[0] ?? null);
  }

  last(): Promise<ChainLink | null> {
    return Promise.resolve(this.links.at(-1) ?? null);
  }
}

/** A zone in memory that is signed as a whole once, and from change to change afterwards. */
export class SignedModel {
  readonly records = new MemoryRecords();
  /** Everything that is signed, by owner name and type, with its signatures. */
  private signed = new Map<string, { readonly set: WireSet; readonly signatures: readonly Uint8Array[] }>();
  readonly form: ZoneForm;
  /** How many signatures the latest change has taken. */
  taken = 0;

  constructor(
    readonly apex: DomainName,
    denial: Denial,
    private readonly key: SigningKey,
    private readonly validity: Validity,
  ) {
    this.form = { apex, kind: chainKind(denial), denialTtl: DENIAL_TTL };
    this.records.put({ owner: apex, type: DNSKEY, ttl: 3600, rdatas: [key.dnskey] });
    if (denial === 'nsec3') this.records.put({ owner: apex, type: NSEC3PARAM, ttl: 0, rdatas: [NSEC3PARAM_RDATA] });
  }

  /** The result of a whole signing pass, without signatures. */
  async wanted(): Promise<Map<string, WireSet>> {
    const sets: WireSet[] = [];
    for await (const some of setsToSign(this.form, this.records.inOrder())) sets.push(...some);
    return new Map(sets.map((set) => [keyOf(set), set]));
  }

  /** The signed state. */
  get present(): Map<string, WireSet> {
    return new Map([...this.signed].map(([key, { set }]) => [key, set]));
  }

  /** The same with signatures. */
  get published(): PublishedSet[] {
    return [...this.signed.values()].map(({ set, signatures }) => ({ ...set, signatures }));
  }

  async signAll(): Promise<void> {
    this.signed = new Map();
    for (const set of (await this.wanted()).values()) this.sign(set);
  }

  /** Signs the changed names, given by their keys. */
  async signChanged(changed: ReadonlySet<string>): Promise<void> {
    this.taken = 0;
    const chain = new MemoryChain(this.links());
    const names = await changedNames(this.form, this.records, chain, changed, { mostNames: Infinity });
    if (names === null) return this.signAll();
    const { kind } = this.form;
    const wanted = new Map(names.sets.map((set) => [keyOf(set), set]));
    for (const [key, { set }] of this.signed)
      if (names.names.has(set.owner.key) && set.type !== kind.type && !wanted.has(key)) this.signed.delete(key);
    const patch = await patchChain(chain, names.links);
    for (const key of patch.removed) this.signed.delete(`${kind.type} ${key}`);
    for (const set of [...wanted.values(), ...chainSets(kind, patch, DENIAL_TTL)]) {
      const known = this.signed.get(keyOf(set));
      if (known === undefined || textOf(known.set) !== textOf(set)) this.sign(set);
    }
  }

  /** All records with their signatures, as a master file of generic data (RFC 3597). */
  toText(): string {
    const generated = [...this.signed.values()].filter(({ set }) => set.type === this.form.kind.type);
    const zone = [...this.records.names.values()].flatMap((sets) => [...sets.values()]);
    const sets = [...zone, ...generated.map(({ set }) => set)];
    const records = sets.flatMap(({ owner, type, ttl, rdatas }) =>
      rdatas.map((rdata) => ({ owner, type, ttl, rdata })),
    );
    const rrsigs = [...this.signed.values()].flatMap(({ set: { owner, ttl }, signatures }) =>
      signatures.map((rdata) => ({ owner, type: RRSIG, ttl, rdata })),
    );
    return genericText([...records, ...rrsigs]);
  }

  private *links(): Generator<ChainLink> {
    const { kind, apex } = this.form;
    for (const { set } of this.signed.values()) {
      const [rdata] = set.rdatas;
      if (set.type === kind.type && rdata !== undefined)
        yield { owner: set.owner, bitmap: kind.read(rdata, apex).bitmap };
    }
  }

  private sign(set: WireSet): void {
    this.taken += 1;
    const keys = { ofKeys: [this.key], ofZone: [this.key] };
    this.signed.set(keyOf(set), { set, signatures: signaturesOf(set, keys, this.apex, this.validity) });
  }
}

function keyOf({ owner, type }: WireSet): string {
  return `${type} ${owner.key}`;
}

/** Tells sets apart; the letters of owner names do not count. */
export function textOf({ owner, type, ttl, rdatas }: WireSet): string {
  const data = rdatas.map((rdata) => Buffer.from(rdata).toString('hex')).sort();
  return `${owner.key} ${type} ${ttl} ${data.join(' ')}`;
}
