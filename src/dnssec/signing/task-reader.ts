import { Injectable } from '@nestjs/common';
import { type Instant, toUnixSeconds } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { type ChainLink, chainSets, patchChain, type StoredChain } from '../../dns/dnssec/chain.js';
import { changedNames } from '../../dns/dnssec/changed-zone.js';
import { Type, type WireSet } from '../../dns/dnssec/wire-set.js';
import type { ChainKind } from '../../dns/dnssec/denial.js';
import { keysFor, type SigningKeys, type ZoneSigners } from '../../dns/dnssec/rrsig.js';
import { DomainName } from '../../dns/name.js';
import type { WireRecord } from '../../publishing/transfers/signed-zones.js';
import { ZoneReader } from '../../publishing/transfers/zone-reader.js';
import { nextSerial, servedSerial } from '../../zones/serials/serial.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { SigningContext } from '../signing-context.js';
import { newGeneration } from '../state/generations.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { digestOf, isMade, isOfChain, linkOf, nameOfKey, octetsOfAll } from '../state/signed-set-form.js';
import type { GenerationOfZone, SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ContentDifferences } from './content-differences.js';
import { PresentSetsReader } from './present-sets.js';
import { SigningClock } from './signing-clock.js';
import { CaseFolding } from './zone-in-order.js';

/** A change of more names is signed like a whole zone. */
const MAX_NAMES = 2000;
const MAX_RENEWED = 500;

export interface SignedBase {
  readonly row: ZoneSigningEntity;
  readonly generation: number;
  /** The content version of the rows. */
  readonly version: number;
  /** Whether no name server has these rows yet, so no difference must be stored for IXFR. */
  readonly isFresh: boolean;
}

export interface SigningTask {
  readonly zone: ZoneEntity;
  readonly base: SignedBase;
  readonly serial: number;
  readonly keys: ZoneSigners;
  /** Always includes the SOA. */
  readonly toSign: readonly SetToSign[];
  readonly gone: readonly SignedSetEntity[];
  /** The changed records of the zone, without signatures. */
  readonly removed: readonly WireRecord[];
  readonly added: readonly WireRecord[];
}

export interface SetToSign {
  readonly set: WireSet;
  readonly before: SignedSetEntity | null;
}

export interface CurrentZone {
  readonly current: ZoneSigningEntity;
}

/** The whole zone must be signed into a new generation. */
export interface WholeZone {
  readonly whole: ZoneSigningEntity;
  readonly generation: number;
  readonly tenantId: string;
}

@Injectable()
export class TaskReader {
  constructor(
    private readonly reader: ZoneReader,
    private readonly context: SigningContext,
    private readonly keys: ZoneKeys,
    private readonly differences: ContentDifferences,
    private readonly presentSets: PresentSetsReader,
    private readonly caseFolding: CaseFolding,
    private readonly clock: SigningClock,
  ) {}

  /** @param prepared a base that is not published yet */
  find(zoneId: string, prepared: SignedBase | null): Promise<SigningTask | CurrentZone | WholeZone | 'unsigned'> {
    return this.reader.run(zoneId, async (tx, zone) => {
      const row = await this.context.signing.find(tx, zoneId);
      if (row?.haltedBecause !== null) return 'unsigned';
      if (row.state === 'signing' && !(await this.context.hasFirstResponse(tx, row))) return 'unsigned';
      const now = this.clock.after(row.runAt);
      const base = prepared !== null && isBaseOf(prepared, row) ? prepared : storedBase(row);
      const whole = { whole: row, generation: newGeneration(row.generation, now), tenantId: zone.tenantId };
      if (base === null) return whole;
      const task = await this.read(tx, zone, base, now);
      if (task === 'current') return { current: row };
      return task === 'whole' ? whole : task;
    });
  }

  private async read(
    tx: Transaction,
    zone: ZoneEntity,
    base: SignedBase,
    now: Instant,
  ): Promise<SigningTask | 'current' | 'whole'> {
    const difference = await this.differences.since(tx, zone, base.version);
    if (difference === null) return 'whole';
    // Without folding, the stored rows do not tell which octets name servers have.
    if (!base.isFresh && !(await this.caseFolding.isFolded(tx, zone, base.row))) return 'whole';
    const { sets } = this.context;
    const seconds = toUnixSeconds(now);
    const keyRows = await this.context.keys.ofZone(tx, zone.id);
    const prepared = await this.context.responses.of(tx, base.row);
    const keys = this.keys.signing(keyRows, prepared);
    const serial = serialFor(zone, seconds);
    const { generated, form } = this.presentSets.apexOf({ ...zone, serial }, base.row, keyRows, prepared);
    const due = await sets.due(tx, generationOf(zone, base), seconds, MAX_RENEWED);
    // Expired signatures break validation: replace all of them in one publication.
    if (!base.isFresh && due.some(({ expiresAt }) => expiresAt <= seconds)) return 'whole';
    const comparison = new Comparison(tx, zone, base, keys, seconds, sets);
    const hasNews = base.isFresh || zone.version !== base.version || due.length > 0;
    if (!hasNews && !(await comparison.isApexChanged(generated))) return 'current';

    const present = this.presentSets.of(tx, zone, generated);
    const chain = new StoredLinks(tx, generationOf(zone, base), form.kind, form.apex, sets);
    const dueOwners = due.filter(({ type }) => !isOfChain(type)).map(({ ownerKey }) => ownerKey);
    const changed = new Set([zone.nameKey, ...difference.owners, ...dueOwners]);
    const names = await changedNames(form, present, chain, changed, { mostNames: MAX_NAMES });
    if (names === null) return 'whole';
    const patch = await patchChain(chain, names.links);
    const wanted = [...names.sets, ...chainSets(form.kind, patch, form.denialTtl)];
    const { toSign, gone } = await comparison.compare(wanted, names.names, patch.removed);
    return {
      ...{ zone, base, serial, keys, gone },
      toSign: [...toSign, ...renewedLinks(due, toSign, gone)],
      removed: difference.removed,
      added: difference.added,
    };
  }
}

/** Whether nothing was published since, and the keys are the same. */
function isBaseOf({ row }: SignedBase, { step, keysVersion }: ZoneSigningEntity): boolean {
  return row.step === step && row.keysVersion === keysVersion;
}

function storedBase(row: ZoneSigningEntity): SignedBase | null {
  const { generation, signedVersion } = row;
  return signedVersion === null ? null : { row, generation, version: signedVersion, isFresh: false };
}

class Comparison {
  private readonly apex: DomainName;

  constructor(
    private readonly tx: Transaction,
    private readonly zone: ZoneEntity,
    private readonly base: SignedBase,
    private readonly keys: ZoneSigners,
    private readonly now: number,
    private readonly sets: SignedSetRepository,
  ) {
    this.apex = DomainName.parse(zone.name);
  }

  /** Whether the generated sets changed, apart from the SOA. */
  async isApexChanged(generated: readonly WireSet[]): Promise<boolean> {
    const { toSign, gone } = await this.compare(generated, new Set([this.zone.nameKey]), []);
    const isOfApex = ({ ownerKey, type }: SignedSetEntity): boolean =>
      isMade({ owner: nameOfKey(ownerKey), type }, this.apex) && !isOfChain(type);
    return toSign.some(({ set }) => set.type !== Type.SOA) || gone.some(isOfApex);
  }

  /** `wanted`: all sets at these names, and the changed links. `removedLinks`: the keys of deleted links. */
  async compare(
    wanted: readonly WireSet[],
    names: ReadonlySet<string>,
    removedLinks: readonly string[],
  ): Promise<{ readonly toSign: SetToSign[]; readonly gone: SignedSetEntity[] }> {
    const owners = new Set([...names, ...removedLinks, ...wanted.map(({ owner }) => owner.key)]);
    const stored = await this.sets.at(this.tx, generationOf(this.zone, this.base), [...owners]);
    const known = new Map(stored.map((row) => [placeOf(row.ownerKey, row.type), row]));
    const toSign: SetToSign[] = [];
    for (const set of wanted) {
      const before = known.get(placeOf(set.owner.key, set.type)) ?? null;
      if (before === null || !this.isGood(before, set)) toSign.push({ set, before });
    }
    const places = new Set(wanted.map(({ owner, type }) => placeOf(owner.key, type)));
    const removed = new Set(removedLinks);
    const gone = stored.filter(({ ownerKey, type }) =>
      isOfChain(type) ? removed.has(ownerKey) : names.has(ownerKey) && !places.has(placeOf(ownerKey, type)),
    );
    return { toSign, gone };
  }

  private isGood(row: SignedSetEntity, set: WireSet): boolean {
    return row.dueAt > this.now && row.signedBy === tagsFor(set, this.keys, this.apex) && row.digest === digestOf(set);
  }
}

/** The tags of the keys that sign the set, in the form of `SignedSetEntity.signedBy`. */
export function tagsFor(
  set: Pick<WireSet, 'owner' | 'type'>,
  keys: SigningKeys<{ readonly tag: number }>,
  apex: DomainName,
): string {
  return keysFor(set, keys, apex)
    .map(({ tag }) => tag)
    .join(',');
}

/** Due links that the change leaves alone. */
function renewedLinks(
  due: readonly SignedSetEntity[],
  toSign: readonly SetToSign[],
  gone: readonly SignedSetEntity[],
): SetToSign[] {
  const others = new Set([
    ...toSign.map(({ set }) => placeOf(set.owner.key, set.type)),
    ...gone.map(({ ownerKey, type }) => placeOf(ownerKey, type)),
  ]);
  return due
    .filter(({ ownerKey, type }) => isOfChain(type) && !others.has(placeOf(ownerKey, type)))
    .map((before) => {
      const { ownerKey, type, ttl, rdatas } = before;
      return { set: { owner: nameOfKey(ownerKey), type, ttl, rdatas: octetsOfAll(rdatas) }, before };
    });
}

/** A content change has its own serial. A first publication needs a new one: name servers may have the unsigned zone. */
function serialFor(zone: ZoneEntity, seconds: number): number {
  const isContentChange = zone.publishedVersion !== null && zone.publishedVersion !== zone.version;
  return isContentChange ? zone.serial : nextSerial(servedSerial(zone), seconds);
}

function generationOf(zone: ZoneEntity, { generation }: SignedBase): GenerationOfZone {
  return { zoneId: zone.id, generation };
}

function placeOf(ownerKey: string, type: number): string {
  return `${type} ${ownerKey}`;
}

class StoredLinks implements StoredChain {
  constructor(
    private readonly tx: Transaction,
    private readonly of: GenerationOfZone,
    private readonly kind: ChainKind,
    private readonly apex: DomainName,
    private readonly sets: SignedSetRepository,
  ) {}

  async at(keys: readonly string[]): Promise<readonly ChainLink[]> {
    const rows = await this.sets.linksAt(this.tx, this.of, keys);
    return rows.map((row) => linkOf(row, this.kind, this.apex));
  }

  before(key: string): Promise<ChainLink | null> {
    return this.read(this.sets.linkBefore(this.tx, this.of, key));
  }

  after(key: string): Promise<ChainLink | null> {
    return this.read(this.sets.linkAfter(this.tx, this.of, key));
  }

  first(): Promise<ChainLink | null> {
    return this.read(this.sets.firstLink(this.tx, this.of));
  }

  last(): Promise<ChainLink | null> {
    return this.read(this.sets.lastLink(this.tx, this.of));
  }

  private async read(finding: Promise<SignedSetEntity | undefined>): Promise<ChainLink | null> {
    const row = await finding;
    return row === undefined ? null : linkOf(row, this.kind, this.apex);
  }
}
