import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/unit-of-work.js';
import type { RecordSet } from '../dns/master-file/record-set.js';
import { DomainName } from '../dns/name.js';
import type { DomainEntity } from '../domains/domain.entity.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { ZoneContents } from './zone-contents.js';
import { ZoneRepository } from './zone.repository.js';

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

/** More findings than anybody reads. */
const MAX_FINDINGS = 1000;

/** Looks at a zone as a whole: what no single record shows. */
@Injectable()
export class ZoneCheckService {
  constructor(
    private readonly domains: DomainRepository,
    private readonly contents: ZoneContents,
    private readonly zones: ZoneRepository,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `domain_not_found` */
  async check(domainId: string, caller: Caller): Promise<ZoneFinding[]> {
    const { id } = await this.domains.find(domainId, caller);
    const findings: ZoneFinding[] = [];
    for await (const finding of this.reads.stream((manager) => this.findings(manager, id))) {
      findings.push(finding);
      if (findings.length === MAX_FINDINGS) break;
    }
    return findings;
  }

  private async *findings(manager: Transaction, domainId: string): AsyncGenerator<ZoneFinding> {
    const domain = await this.domains.findIn(manager, domainId);
    if (domain === undefined) return;
    let cut: DomainName | null = null;
    for await (const set of this.contents.recordSets(manager, domain)) {
      if (cut !== null && !set.owner.isWithin(cut)) cut = null;
      if (cut !== null) yield* belowCut(set, cut);
      else if (set.type.name === 'DS' && !(await this.has(manager, domain, set.owner, 'NS')))
        yield warning(set, 'DS without an NS set at the same name: nothing is delegated there.');
      yield* this.targets(manager, domain, set);
      if (set.type.name === 'NS' && set.owner.key !== domain.nameKey) cut = set.owner;
    }
  }

  /** Targets inside the zone must lead somewhere: name servers refuse NS without an address, others only fail to work. */
  private async *targets(manager: Transaction, domain: DomainEntity, set: RecordSet): AsyncGenerator<ZoneFinding> {
    const offset = TARGET_OFFSETS[set.type.name];
    if (offset === undefined) return;
    for (const rdata of set.rdatas) {
      const target = DomainName.read(rdata, offset);
      if (target.labelCount === 0 || !target.isWithin(DomainName.parse(domain.name))) continue;
      const types = await this.typesAt(manager, domain, target);
      if (types.has('A') || types.has('AAAA')) continue;
      const name = target.toString();
      if (types.has('CNAME'))
        yield warning(set, `${name} is a CNAME; the target of ${set.type.name} must be the real name.`);
      else if (set.type.name !== 'NS') yield warning(set, `${name} lies in the zone and has no address.`);
      else yield { ...warning(set, `${name} is a name server inside the zone without an address.`), severity: 'error' };
    }
  }

  private async has(manager: Transaction, domain: DomainEntity, owner: DomainName, type: string): Promise<boolean> {
    return (await this.zones.set(manager, domain.id, owner.key, type)).length > 0;
  }

  /** The types at a name, or those of the wildcard that would answer for it. */
  private async typesAt(manager: Transaction, domain: DomainEntity, name: DomainName): Promise<ReadonlySet<string>> {
    const own = await this.zones.typesAt(manager, domain.id, name.key);
    if (own.length > 0) return new Set(own);
    const parentKey = name.key.slice(0, name.key.lastIndexOf(' '));
    return new Set(await this.zones.typesAt(manager, domain.id, `${parentKey} *`));
  }
}

/** Below a delegation only glue is served (RFC 1034 §4.2.1). */
function* belowCut(set: RecordSet, cut: DomainName): Generator<ZoneFinding> {
  const isAtCut = set.owner.equals(cut);
  if (isAtCut && ['NS', 'DS'].includes(set.type.name)) return;
  if (['A', 'AAAA'].includes(set.type.name)) return;
  yield warning(set, `It lies below the delegation of ${cut.toString()} and is not served.`);
}

function warning(set: RecordSet, message: string): ZoneFinding {
  return { severity: 'warning', name: set.owner.toString(), type: set.type.name, message };
}
