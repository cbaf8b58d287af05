import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSet } from '../dns/master-file/record-set.js';
import { DomainName } from '../dns/name.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { ServedZone } from '../records/served-zone.js';
import { ZoneLookup } from './zone-lookup.js';

/** Something about a zone that a name server, or its users, would stumble over. */
export interface ZoneFinding {
  /** `error`: name servers refuse to load the zone. `warning`: it loads, but hardly as it was meant. */
  readonly severity: 'error' | 'warning';
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

/** Where a type's target begins in its RDATA, for the types whose target must have an address. */
const TARGET_OFFSETS: Readonly<Record<string, number>> = { NS: 0, MX: 2, SRV: 6 };

/** What a delegation serves at its own name, and below it (RFC 1034 §4.2.1). */
const SERVED_AT_CUT = ['NS', 'DS', 'A', 'AAAA'];
const SERVED_BELOW_CUT = ['A', 'AAAA'];

/** More findings than anybody reads. */
const MAX_FINDINGS = 1000;

/** Looks at a zone as a whole: what no single record shows. */
@Injectable()
export class ZoneCheckService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly contents: ServedZone,
    private readonly lookup: ZoneLookup,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found` */
  async check(zoneId: string, caller: Caller): Promise<ZoneFinding[]> {
    const { id } = await this.zones.find(zoneId, caller);
    const findings: ZoneFinding[] = [];
    for await (const finding of this.reads.stream((tx) => this.findings(tx, id))) {
      findings.push(finding);
      if (findings.length === MAX_FINDINGS) break;
    }
    return findings;
  }

  private async *findings(tx: Transaction, zoneId: string): AsyncGenerator<ZoneFinding> {
    const zone = await this.contents.zone(tx, zoneId);
    let cut: DomainName | null = null;
    for await (const sets of byOwner(this.contents.recordSets(tx, zone))) {
      const [{ owner }] = sets;
      if (cut !== null && !owner.isWithin(cut)) cut = null;
      const isBelow = cut !== null;
      if (!isBelow && owner.key !== zone.nameKey && has(sets, 'NS')) cut = owner;
      for (const set of sets) {
        if (cut !== null && !(isBelow ? SERVED_BELOW_CUT : SERVED_AT_CUT).includes(set.type.name))
          yield warning(set, `It lies at or below the delegation of ${cut.toString()} and is not served.`);
        else if (set.type.name === 'DS' && !has(sets, 'NS'))
          yield warning(set, 'DS without an NS set at the same name: nothing is delegated there.');
        else {
          yield* refusedByBind(set, zone);
          yield* this.targets(tx, zone, set);
        }
      }
    }
  }

  /** Targets inside the zone must lead somewhere: name servers refuse NS without an address, others only fail to work. */
  private async *targets(tx: Transaction, zone: ZoneEntity, set: RecordSet): AsyncGenerator<ZoneFinding> {
    const offset = TARGET_OFFSETS[set.type.name];
    if (offset === undefined) return;
    for (const rdata of set.rdatas) {
      const target = DomainName.read(rdata, offset);
      if (target.labelCount === 0 || !target.isWithin(DomainName.parse(zone.name))) continue;
      const found = await this.lookup.find(tx, zone, target);
      const name = target.toString();
      if (found === 'address') continue;
      if (found === 'delegated') yield* unglued(set, target);
      else if (found === 'alias')
        yield targetFault(set, `${name} is a CNAME; the target of ${set.type.name} must be the real name.`);
      else yield targetFault(set, `${name} lies in the zone and has no address.`);
    }
  }
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

function has(sets: readonly RecordSet[], type: string): boolean {
  return sets.some((set) => set.type.name === type);
}

/** Where the algorithm stands in the RDATA of what tells the parent zone about keys. */
const ALGORITHM_OFFSETS: Readonly<Record<string, number>> = { CDS: 2, CDNSKEY: 3 };

/** What BIND alone does not load from a file; a BIND that transfers the zone takes it. */
function* refusedByBind(set: RecordSet, { nameKey }: ZoneEntity): Generator<ZoneFinding> {
  const offset = ALGORITHM_OFFSETS[set.type.name];
  if (offset === undefined || set.owner.key !== nameKey) return;
  // RFC 8078 §4: algorithm 0 asks for the end of DNSSEC, and refers to no key.
  if (set.rdatas.some((rdata) => rdata[offset] !== 0))
    yield warning(set, `${set.type.name} without the DNSKEY that it refers to; BIND refuses a file with it.`);
}

/** A target below a delegation without an address here; where it is no name server, its own zone has it. */
function* unglued(set: RecordSet, target: DomainName): Generator<ZoneFinding> {
  if (set.type.name !== 'NS') return;
  const name = target.toString();
  if (target.isWithin(set.owner))
    yield targetFault(set, `${name} lies below its own delegation; nobody finds it without an address here (glue).`);
  else yield warning(set, `${name} lies below another delegation; its address here would spare a detour.`);
}

function targetFault(set: RecordSet, message: string): ZoneFinding {
  return { ...warning(set, message), severity: set.type.name === 'NS' ? 'error' : 'warning' };
}

function warning(set: RecordSet, message: string): ZoneFinding {
  return { severity: 'warning', name: set.owner.toString(), type: set.type.name, message };
}
