import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { whileWanted } from '../common/waiting/while-wanted.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSet } from '../dns/master-file/record-set.js';
import type { DryRunResult } from '../records/changes/record-operation.js';
import { RecordRepository, type ServedRecord } from '../records/record.repository.js';
import { DomainName } from '../dns/name.js';
import { isKeyWithin } from '../dns/name-key.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { isOmitted, type OmittedSet, ServedZone } from '../records/served/served-zone.js';
import { boundsOfBind } from './bind-bounds.js';
import { isOwnerRefusedByBind } from './bind-owner-names.js';
import { ListedRecords, withDifferences } from './listed-records.js';
import { loadTopLevels, suspicionsOf } from './record-warnings.js';
import { type NamesOfZone, ZoneLookup } from './zone-lookup.js';

/** Something about a zone that a name server, or its users, would stumble over. */
export interface ZoneFinding {
  /** `error`: name servers refuse to load the zone. `warning`: it loads, but hardly as it was meant. */
  readonly severity: 'error' | 'warning';
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

/** The highest number of findings. */
const MAX_FINDINGS = 1000;

/** Of a larger zone it is not looked for what a change would add: it is gone through twice, as often as somebody types. */
const MOST_RECORDS_OF_PLAN = 5000;
/** The same in octets of RDATA in hexadecimal. */
const MOST_OCTETS_OF_PLAN = 2 ** 24;

const NO_HOST_NAME = 'It is not a host name; BIND as a primary refuses a file with it unless check-names is off.';

/** Looks at a zone as a whole: what no single record shows. */
@Injectable()
export class ZoneCheckService {
  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly contents: ServedZone,
    private readonly records: RecordRepository,
    private readonly lookup: ZoneLookup,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  /**
   * @param gone ends the work where nobody waits for it any more
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async check(zoneId: string, caller: Caller, gone?: AbortSignal): Promise<ZoneFinding[]> {
    const { id } = await this.zones.find(zoneId, caller);
    return this.streams.read(caller.tenantId, () => this.reads.offPrimary(() => this.findingsOf(id, gone)));
  }

  /**
   * What would be found with a change and is not found without it; `null` for a zone that is too large, or is not the caller's
   * to check.
   * @throws ServiceError `unavailable`
   * @internal
   */
  async added(zoneId: string, caller: Caller, tried: DryRunResult): Promise<ZoneFinding[] | null> {
    if (caller.restrictions !== undefined || !(await this.mayCheck(zoneId, caller))) return null;
    return this.streams.read(caller.tenantId, async () => {
      let found: ZoneFinding[] | null = null;
      // One moment is read, and there is one answer.
      for await (const findings of this.reads.stream((tx) => this.addedIn(tx, zoneId, tried))) found = findings;
      return found;
    });
  }

  private async mayCheck(zoneId: string, caller: Caller): Promise<boolean> {
    try {
      await this.zones.find(zoneId, caller);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return false;
      throw error;
    }
  }

  private async *addedIn(tx: Transaction, zoneId: string, tried: DryRunResult): AsyncGenerator<ZoneFinding[] | null> {
    const zone = await this.contents.zone(tx, zoneId);
    if (Math.max(zone.recordCount, tried.recordCount) > MOST_RECORDS_OF_PLAN) {
      yield null;
      return;
    }
    const stored: ServedRecord[] = [];
    let octets = 0;
    for await (const some of this.records.served(tx, zoneId)) {
      stored.push(...some);
      for (const { rdata } of some) octets += rdata.length;
      if (octets <= MOST_OCTETS_OF_PLAN) continue;
      yield null;
      return;
    }
    const before = await this.findingsIn(tx, zone, stored);
    const after = await this.findingsIn(tx, zone, withDifferences(stored, tried.differences));
    yield without(after, before).slice(0, MAX_FINDINGS);
  }

  private async findingsIn(
    tx: Transaction,
    zone: ZoneEntity,
    records: readonly ServedRecord[],
  ): Promise<ZoneFinding[]> {
    const listed = new ListedRecords(records);
    const found: ZoneFinding[] = [];
    for await (const finding of this.inspect(zone, this.contents.recordSetsOf(tx, zone, listed), listed))
      found.push(finding);
    return found;
  }

  private async findingsOf(zoneId: string, gone?: AbortSignal): Promise<ZoneFinding[]> {
    const findings: ZoneFinding[] = [];
    for await (const finding of this.reads.stream((tx) => this.findings(tx, zoneId, gone))) {
      findings.push(finding);
      if (findings.length === MAX_FINDINGS) break;
    }
    return findings;
  }

  private async *findings(tx: Transaction, zoneId: string, gone?: AbortSignal): AsyncGenerator<ZoneFinding> {
    const zone = await this.contents.zone(tx, zoneId);
    const batches = whileWanted(this.contents.recordSets(tx, zone), gone);
    yield* this.inspect(zone, batches, this.lookup.stored(tx, zoneId));
  }

  /**
   * @param batches what is served, in its order
   * @param names the same by name
   */
  private async *inspect(
    zone: ZoneEntity,
    batches: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
    names: NamesOfZone,
  ): AsyncGenerator<ZoneFinding> {
    let cut: DomainName | null = null;
    const omitted: OmittedSet[] = [];
    for await (const sets of byOwner(served(batches, omitted))) {
      yield* omitted.splice(0).flatMap(unreadable);
      const [{ owner }] = sets;
      if (cut !== null && !owner.isWithin(cut)) cut = null;
      const isBelow = cut !== null;
      if (!isBelow && owner.key !== zone.nameKey && sets.some(isDelegation)) cut = owner;
      yield* boundsOfBind(sets).map(({ set, message }) => warning(set, message));
      for (const set of sets) {
        if (cut !== null && !isServedAtCut(set, isBelow))
          yield warning(set, `It lies at or below the delegation of ${cut.toString()} and is not served.`);
        else {
          yield* unmetNeed(set, sets, zone);
          if (isOwnerRefusedByBind(set)) yield warning(set, NO_HOST_NAME);
          yield* this.suspected(names, zone, set);
          yield* this.targets(names, zone, set);
        }
      }
    }
    yield* omitted.flatMap(unreadable);
  }

  /** Records that are allowed and hardly mean what they say. */
  private async *suspected(names: NamesOfZone, zone: ZoneEntity, set: RecordSet): AsyncGenerator<ZoneFinding> {
    const isTopLevel = await loadTopLevels();
    for (const { message, unlessServed } of suspicionsOf(set, DomainName.parse(zone.name), isTopLevel))
      if (unlessServed === null || !(await names.isServed(unlessServed))) yield warning(set, message);
  }

  /** Hosts that the zone names and has itself need an address: a name server refuses the zone without that of an NS. */
  private async *targets(names: NamesOfZone, zone: ZoneEntity, set: RecordSet): AsyncGenerator<ZoneFinding> {
    for (const target of set.rdatas.flatMap((rdata) => set.type.targets(rdata))) {
      if (!isKeyWithin(target.key, zone.nameKey)) continue;
      const found = await this.lookup.find(names, zone, target);
      const name = target.toString();
      if (found === 'address') continue;
      if (found === 'delegated') yield* unglued(set, target);
      else if (found === 'alias')
        yield badTarget(set, `${name} is an alias; the target of ${set.type.name} must be the real name.`);
      else yield badTarget(set, `${name} lies in the zone and has no address.`);
    }
  }
}

/** Those that are not among others. */
function without(findings: readonly ZoneFinding[], others: readonly ZoneFinding[]): ZoneFinding[] {
  const known = new Set(others.map((finding) => JSON.stringify(finding)));
  return findings.filter((finding) => !known.has(JSON.stringify(finding)));
}

/** The sets that are served; the others go to `omitted`. */
async function* served(
  batches: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
  omitted: OmittedSet[],
): AsyncGenerator<RecordSet> {
  for await (const sets of batches)
    for (const set of sets)
      if (isOmitted(set)) omitted.push(set);
      else yield set;
}

function unreadable(set: OmittedSet): ZoneFinding[] {
  return set.unreadable.map(({ id, owner, type, reason }) => ({
    severity: 'error',
    name: owner,
    type,
    message: `The record ${id} cannot be rendered, so that its record set is left out: ${reason}.`,
  }));
}

type RecordSetsAtName = [RecordSet, ...RecordSet[]];

/** The sets of one owner after the other. */
async function* byOwner(sets: AsyncIterable<RecordSet>): AsyncGenerator<RecordSetsAtName> {
  let gathered: RecordSetsAtName | null = null;
  for await (const set of sets) {
    if (gathered?.[0].owner.equals(set.owner)) {
      gathered.push(set);
      continue;
    }
    if (gathered !== null) yield gathered;
    gathered = [set];
  }
  if (gathered !== null) yield gathered;
}

function isDelegation({ type }: RecordSet): boolean {
  return type.role === 'delegation';
}

/** RFC 1034 §4.2.1: addresses (glue), and at the cut itself what belongs to the zone above. */
function isServedAtCut({ type }: RecordSet, isBelow: boolean): boolean {
  return type.role === 'address' || (!isBelow && type.placement.isAtZoneCut === true);
}

/** A set whose type needs another one at the same name, which is not there. */
function* unmetNeed(set: RecordSet, sets: readonly RecordSet[], { nameKey }: ZoneEntity): Generator<ZoneFinding> {
  const { needs } = set.type.placement;
  if (needs === undefined || sets.some(({ type }) => type.name === needs.type)) return;
  if (needs.atApexOnly && set.owner.key !== nameKey) return;
  if (set.rdatas.some((rdata) => needs.isNeededBy?.(rdata) ?? true))
    yield warning(set, `${set.type.name} without ${needs.type} at the same name: ${needs.otherwise}.`);
}

/** A target below a delegation without an address here; where it is no name server, its own zone has it. */
function* unglued(set: RecordSet, target: DomainName): Generator<ZoneFinding> {
  if (!isDelegation(set)) return;
  const name = target.toString();
  if (target.isWithin(set.owner))
    yield badTarget(
      set,
      `${name} lies below its own delegation; resolvers cannot find it without an address here (glue).`,
    );
  else yield warning(set, `${name} lies below another delegation; its address here would save resolvers a query.`);
}

function badTarget(set: RecordSet, message: string): ZoneFinding {
  return { ...warning(set, message), severity: isDelegation(set) ? 'error' : 'warning' };
}

function warning(set: RecordSet, message: string): ZoneFinding {
  return { severity: 'warning', name: set.owner.toString(), type: set.type.name, message };
}
