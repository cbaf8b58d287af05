import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock, SECOND } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { whileWanted } from '../common/waiting/search-turns.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSet } from '../dns/master-file/master-file-writer.js';
import type { DryRunResult } from '../records/changes/change-request.js';
import { ReverseFindings } from '../records/reverse/reverse-findings.js';
import { RecordRepository, type ServedRecord } from '../records/record.repository.js';
import { DomainName } from '../dns/name.js';
import { isKeyWithin } from '../dns/name-key.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { isOmitted, type OmittedSet, ServedZone } from '../records/served/served-zone.js';
import {
  boundsOfBind,
  ExpiringSignatures,
  isOwnerRefusedByBind,
  loadTopLevels,
  suspicionsOf,
} from './record-warnings.js';
import { ListedRecords, withDifferences, type NamesOfZone, ZoneLookup } from './zone-lookup.js';
import { type FindingContent, type PlanFinding, PlanFindings, StateFindings } from '../records/plan-findings.js';

/** A problem of a zone. `error`: name servers refuse to load it. `warning`: it loads, but probably not as intended. */
export type ZoneFinding = PlanFinding;

const MAX_FINDINGS = 1000;

type Differences = Pick<DryRunResult, 'differences'>;

/** The check reads the zone twice for each edit in the console. */
export const MOST_RECORDS_OF_PLAN = 5000;
/** RDATA in hexadecimal. */
const MOST_OCTETS_OF_PLAN = 2 ** 24;

const NO_HOST_NAME: FindingContent = {
  kind: 'not_a_host_name',
  message: 'It is not a host name; BIND as a primary refuses a file with it unless check-names is off.',
};

/** Checks a zone as a whole, for problems that no single record shows. */
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
    private readonly state: StateFindings,
    private readonly reverse: ReverseFindings,
    private readonly clock: Clock,
  ) {}

  /**
   * @param gone aborts when the client disconnects
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async check(zoneId: string, caller: Caller, gone?: AbortSignal): Promise<ZoneFinding[]> {
    const { id } = await this.zones.find(zoneId, caller);
    return this.streams.read(caller.tenantId, () => this.reads.offPrimary(() => this.findingsOf(id, gone)));
  }

  /** The findings that a change would add; `null` if the zone is too large, or the caller cannot check it. @internal */
  async added(zoneId: string, caller: Caller, { differences }: Differences): Promise<ZoneFinding[] | null> {
    const end = this.streams.take(caller.tenantId);
    try {
      return await this.addedUnderWay(zoneId, caller, differences);
    } finally {
      end();
    }
  }

  /** For a caller that already counts as under way. @internal */
  async addedUnderWay(
    zoneId: string,
    caller: Caller,
    differences: Differences['differences'],
  ): Promise<ZoneFinding[] | null> {
    if (caller.restrictions !== undefined || !(await this.mayCheck(zoneId, caller))) return null;
    return this.streams.inTurn(caller.tenantId, async () => {
      let found: ZoneFinding[] | null = null;
      // The stream has one result, from one snapshot.
      for await (const findings of this.reads.stream((tx) => this.addedIn(tx, zoneId, differences))) found = findings;
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

  private async *addedIn(
    tx: Transaction,
    zoneId: string,
    differences: Differences['differences'],
  ): AsyncGenerator<ZoneFinding[] | null> {
    const zone = await this.contents.zone(tx, zoneId);
    const growth = differences.reduce(
      (n, { before, after }) => n + Number(after !== null) - Number(before !== null),
      0,
    );
    if (zone.recordCount + Math.max(growth, 0) > MOST_RECORDS_OF_PLAN) {
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
    const after = await this.findingsIn(tx, zone, withDifferences(stored, differences));
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
    yield* whileWanted(this.state.of(tx, zoneId), gone);
    yield* whileWanted(this.reverse.of(tx, zone), gone);
  }

  /** @param batches record sets in canonical order, of `names` */
  private async *inspect(
    zone: ZoneEntity,
    batches: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
    names: NamesOfZone,
  ): AsyncGenerator<ZoneFinding> {
    let cut: DomainName | null = null;
    const omitted: OmittedSet[] = [];
    const signatures = new ExpiringSignatures(Math.floor(this.clock.now() / SECOND));
    for await (const sets of byOwner(served(batches, omitted))) {
      yield* omitted.splice(0).flatMap(unreadable);
      const [{ owner }] = sets;
      if (cut !== null && !owner.isWithin(cut)) cut = null;
      const isBelow = cut !== null;
      if (!isBelow && owner.key !== zone.nameKey && sets.some(isDelegation)) cut = owner;
      yield* boundsOfBind(sets).map(({ set, ...excess }) => warning(set, excess));
      for (const set of sets) {
        signatures.add(set);
        if (cut !== null && !isServedAtCut(set, isBelow)) yield hidden(set, cut.toString());
        else {
          yield* unmetNeed(set, sets, zone);
          if (isOwnerRefusedByBind(set)) yield warning(set, NO_HOST_NAME);
          yield* this.suspected(names, zone, set);
          yield* this.targets(names, zone, set);
        }
      }
    }
    yield* omitted.flatMap(unreadable);
    const { finding } = signatures;
    if (finding !== null) yield { severity: 'warning', name: zone.name, type: 'RRSIG', ...finding };
  }

  private async *suspected(names: NamesOfZone, zone: ZoneEntity, set: RecordSet): AsyncGenerator<ZoneFinding> {
    const isTopLevel = await loadTopLevels();
    for (const { unlessServed, ...suspicion } of suspicionsOf(set, DomainName.parse(zone.name), isTopLevel))
      if (unlessServed === null || !(await names.isServed(unlessServed))) yield warning(set, suspicion);
  }

  /** Targets within the zone need an address. Name servers reject the zone if the target of an NS has none. */
  private async *targets(names: NamesOfZone, zone: ZoneEntity, set: RecordSet): AsyncGenerator<ZoneFinding> {
    for (const target of set.rdatas.flatMap((rdata) => set.type.targets(rdata))) {
      if (!isKeyWithin(target.key, zone.nameKey)) continue;
      const found = await this.lookup.find(names, zone, target);
      const name = target.toString();
      if (found === 'address') continue;
      if (found === 'delegated') yield* unglued(set, target);
      else if (found === 'alias')
        yield badTarget(set, {
          ...{ kind: 'alias_target', text: name },
          message: `${name} is an alias; the target of ${set.type.name} must be the real name.`,
        });
      else {
        const message = `${name} is in this zone but has no A or AAAA record.`;
        yield badTarget(set, { kind: 'no_address', text: name, message });
      }
    }
  }
}

function without(findings: readonly ZoneFinding[], others: readonly ZoneFinding[]): ZoneFinding[] {
  const known = new Set(others.map((finding) => JSON.stringify(finding)));
  return findings.filter((finding) => !known.has(JSON.stringify(finding)));
}

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
    kind: 'unreadable_record',
    text: id,
    message: `The record ${id} cannot be rendered (${reason}), so exports omit its record set.`,
  }));
}

type RecordSetsAtName = [RecordSet, ...RecordSet[]];

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

/** RFC 1034 §4.2.1: glue, and at the zone cut the types of the parent zone. */
function isServedAtCut({ type }: RecordSet, isBelow: boolean): boolean {
  return type.role === 'address' || (!isBelow && type.placement.isAtZoneCut === true);
}

function* unmetNeed(set: RecordSet, sets: readonly RecordSet[], { nameKey }: ZoneEntity): Generator<ZoneFinding> {
  const { needs } = set.type.placement;
  if (needs === undefined || sets.some(({ type }) => type.name === needs.type)) return;
  if (needs.atApexOnly && set.owner.key !== nameKey) return;
  if (set.rdatas.some((rdata) => needs.isNeededBy?.(rdata) ?? true))
    yield warning(set, {
      ...{ kind: 'missing_type', text: needs.type },
      message: `${set.type.name} without ${needs.type} at the same name: ${needs.otherwise}.`,
    });
}

/** A target below a delegation, without an address. If it is no name server, the child zone has its address. */
function* unglued(set: RecordSet, target: DomainName): Generator<ZoneFinding> {
  if (!isDelegation(set)) return;
  const name = target.toString();
  if (target.isWithin(set.owner))
    yield badTarget(set, {
      ...{ kind: 'missing_glue', text: name },
      message: `${name} lies below its own delegation; resolvers cannot find it without an address here (glue).`,
    });
  else
    yield warning(set, {
      ...{ kind: 'optional_glue', text: name },
      message: `${name} lies below another delegation; its address here would save resolvers a query.`,
    });
}

function hidden(set: RecordSet, text: string): ZoneFinding {
  const message = `The record set lies at or below the delegation of ${text} and is not served.`;
  return warning(set, { kind: 'below_delegation', text, message });
}

function badTarget(set: RecordSet, content: FindingContent): ZoneFinding {
  return { ...warning(set, content), severity: isDelegation(set) ? 'error' : 'warning' };
}

function warning(set: RecordSet, content: FindingContent): ZoneFinding {
  return { severity: 'warning', name: set.owner.toString(), type: set.type.name, ...content };
}

@Injectable()
export class PlanCheck extends PlanFindings {
  constructor(private readonly check: ZoneCheckService) {
    super();
  }

  override of(zoneId: string, caller: Caller, tried: DryRunResult): Promise<readonly PlanFinding[] | null> {
    return this.check.added(zoneId, caller, tried);
  }
}
