import { Injectable } from '@nestjs/common';
import { type Instant, toUnixSeconds } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { changedNames } from '../../dns/dnssec/changed-zone.js';
import { chainSets, patchChain } from '../../dns/dnssec/chain.js';
import { chainKind } from '../../dns/dnssec/denial.js';
import { keysFor, type SigningKeys } from '../../dns/dnssec/zone-signer.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { DomainName } from '../../dns/name.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import { ChangedSets } from '../../publishing/transfers/changed-sets.js';
import { differenceOf } from '../../publishing/transfers/set-difference.js';
import type { WireRecord } from '../../publishing/transfers/signed-zones.js';
import { inSignedZone, isTransferred, recordsOf } from '../../publishing/transfers/transferred-set.js';
import { RecordRepository } from '../../records/record.repository.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { isOmitted, ServedZone } from '../../records/served/served-zone.js';
import { nextSerial, servedSerial } from '../../zones/serials/serial.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { digestOf, isMade, isOfChain, nameOfKey, octetsOfAll } from '../state/signed-set-form.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import { apexSets, denialTtlOf } from './apex-sets.js';
import { PresentSets } from './present-sets.js';
import { CaseFolding } from './case-folding.js';
import type { SetToSign, SignedBase, SigningTask } from './signing-task.js';
import { StoredLinks } from './stored-links.js';

/** A change of more names, or further back, is signed as a whole zone is. */
const MOST_NAMES = 2000;
const MOST_STEPS = 5000;
/** So many signatures are renewed in one run. */
const MOST_RENEWED = 500;

/** Tells what has to be signed of a zone. */
@Injectable()
export class TaskReader {
  constructor(
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly sets: SignedSetRepository,
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly changedSets: ChangedSets,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly spelling: CaseFolding,
    private readonly options: DnssecOptions,
  ) {}

  /**
   * @param tx sees the zone as it is given until it has been read
   * @returns `current` where there is nothing to do; `whole` where all of it has to be signed
   */
  async read(
    tx: Transaction,
    zone: ZoneEntity,
    base: SignedBase,
    now: Instant,
  ): Promise<SigningTask | 'current' | 'whole'> {
    const changes = await this.changesSince(tx, zone, base.version);
    if (changes === null) return 'whole';
    // Name servers have what was signed as it was sent, so that no difference to it can be told.
    if (!base.isFresh && !(await this.spelling.isFolded(tx, zone, base.row))) return 'whole';
    const keyRows = await this.keyRows.ofZone(tx, zone.id);
    const keys = this.keys.signing(keyRows);
    const serial = serialFor(zone, base, now);
    const { made, soa } = this.madeSets(zone, serial, base, keyRows);
    const due = await this.sets.due(tx, of(zone, base), toUnixSeconds(now), MOST_RENEWED);
    // Nobody answers validly with any of them: all that has ended is to be replaced at once, and not in portions.
    if (!base.isFresh && due.some(({ expiresAt }) => expiresAt <= toUnixSeconds(now))) return 'whole';
    const reading = new Reading(tx, zone, base, keys, toUnixSeconds(now), this.sets);
    const isNews = base.isFresh || zone.version !== base.version || due.length > 0;
    if (!isNews && !(await reading.isApexChanged(made))) return 'current';

    const present = new PresentSets(tx, zone, made, this.options.maxTtl, {
      records: this.records,
      sets: this.recordSets,
      served: this.served,
    });
    const kind = chainKind(base.row.denial);
    const apex = DomainName.parse(zone.name);
    const denialTtl = denialTtlOf(soa, Math.min(servedSoaTtl(zone), this.options.maxTtl));
    const chain = new StoredLinks(tx, of(zone, base), kind, apex, this.sets);
    const owners = [...changes.owners, ...due.filter(({ type }) => !isOfChain(type)).map(({ ownerKey }) => ownerKey)];
    const names = await changedNames({ apex, kind, denialTtl }, present, chain, new Set([zone.nameKey, ...owners]), {
      mostNames: MOST_NAMES,
    });
    if (names === null) return 'whole';
    const patch = await patchChain(chain, names.links);
    const wanted = [...names.sets, ...chainSets(kind, patch, denialTtl)];
    const { toSign, gone } = await reading.compare(wanted, names.names, patch.removed);
    return {
      ...{ zone, base, serial, keys, gone },
      toSign: [...toSign, ...renewedLinks(due, toSign, gone)],
      removed: changes.removed,
      added: changes.added,
    };
  }

  /** The same sets as a whole pass over the zone begins with. */
  madeSets(
    zone: ZoneEntity,
    serial: number,
    { row }: Pick<SignedBase, 'row'>,
    keys: Parameters<typeof apexSets>[0]['keys'],
  ): { readonly made: readonly WireSet[]; readonly soa: Uint8Array } {
    const soa = this.served.soaOf({ ...zone, serial });
    const { denial, state } = row;
    return { made: apexSets({ zone, soa, keys, denial, state, maxTtl: this.options.maxTtl }), soa };
  }

  /** `null` where it cannot be told, or is more than is worth telling. */
  private async changesSince(tx: Transaction, zone: ZoneEntity, version: number): Promise<ContentChanges | null> {
    if (zone.version === version) return { owners: [], removed: [], added: [] };
    if (zone.version - version > MOST_STEPS) return null;
    const past = await unlessForgotten(
      this.pointInTimeZones.changesSince(tx, zone, { number: version, serial: zone.serial }),
    );
    // All records without a ttl of their own follow that of the zone; SOA and apex NS come from the generation.
    if (past?.zone.ttl !== zone.ttl || past.zone.generation !== zone.generation) return null;
    // NSEC and NSEC3 follow that of the SOA (RFC 9077 §3).
    if (past.zone.soaTtl !== zone.soaTtl) return null;
    const sets = await this.changedSets.read(tx, zone, past);
    if (sets === null) return null;
    const changes = { owners: [] as string[], removed: [] as WireRecord[], added: [] as WireRecord[] };
    for (const set of sets) {
      const [before] = this.served.setAt(past.zone, set, set.before);
      const [after] = this.served.setAt(zone, set, set.now);
      if ((before !== undefined && isOmitted(before)) || (after !== undefined && isOmitted(after))) return null;
      const { removed, added } = differenceOf(
        before !== undefined && isTransferred(before) ? before : null,
        after !== undefined && isTransferred(after) ? after : null,
      );
      changes.owners.push(set.ownerKey);
      changes.removed.push(...(removed === null ? [] : this.asSent(removed)));
      changes.added.push(...(added === null ? [] : this.asSent(added)));
    }
    return changes;
  }

  private asSent(set: RecordSet): WireRecord[] {
    const form = { maxTtl: this.options.maxTtl, isFolded: true };
    return recordsOf(set).map((record) => inSignedZone(record, form));
  }
}

/** What has changed in the contents of a zone. */
interface ContentChanges {
  readonly owners: readonly string[];
  readonly removed: readonly WireRecord[];
  readonly added: readonly WireRecord[];
}

/** Compares what has to be signed with what is. */
class Reading {
  private readonly apex: DomainName;

  constructor(
    private readonly tx: Transaction,
    private readonly zone: ZoneEntity,
    private readonly base: SignedBase,
    private readonly keys: SigningKeys,
    private readonly now: number,
    private readonly sets: SignedSetRepository,
  ) {
    this.apex = DomainName.parse(zone.name);
  }

  /** Whether the sets that the service makes there are others, but for the serial. */
  async isApexChanged(made: readonly WireSet[]): Promise<boolean> {
    const { toSign, gone } = await this.compare(made, new Set([this.zone.nameKey]), []);
    const isOfApex = ({ ownerKey, type }: SignedSetEntity): boolean =>
      isMade({ owner: nameOfKey(ownerKey), type }, this.apex) && !isOfChain(type);
    return toSign.some(({ set }) => set.type !== SOA) || gone.some(isOfApex);
  }

  /**
   * @param wanted what has to be signed at these names, and the links of the chain that are others now
   * @param removedLinks keys of those that are none any more
   */
  async compare(
    wanted: readonly WireSet[],
    names: ReadonlySet<string>,
    removedLinks: readonly string[],
  ): Promise<{ readonly toSign: SetToSign[]; readonly gone: SignedSetEntity[] }> {
    const owners = new Set([...names, ...removedLinks, ...wanted.map(({ owner }) => owner.key)]);
    const stored = await this.sets.at(this.tx, of(this.zone, this.base), [...owners]);
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

const SOA = 6;

/** By which keys the set is signed, as rows say it. */
export function tagsFor(set: Pick<WireSet, 'owner' | 'type'>, keys: SigningKeys, apex: DomainName): string {
  return keysFor(set, keys, apex)
    .map(({ tag }) => tag)
    .join(',');
}

/** Links whose time has come and that the change leaves as they are. */
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

/** Contents have a serial of their own, and before the first publication servers may have had it without signatures. */
function serialFor(zone: ZoneEntity, base: SignedBase, now: Instant): number {
  const isOfContents = zone.publishedVersion !== null && zone.publishedVersion !== zone.version;
  return isOfContents ? zone.serial : nextSerial(servedSerial(zone), toUnixSeconds(now));
}

function of(zone: ZoneEntity, { generation }: SignedBase) {
  return { zoneId: zone.id, generation };
}

function placeOf(ownerKey: string, type: number): string {
  return `${type} ${ownerKey}`;
}

async function unlessForgotten<T>(finding: Promise<T>): Promise<T | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'serial_not_found') return null;
    throw error;
  }
}
