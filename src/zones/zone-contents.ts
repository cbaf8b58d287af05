import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/unit-of-work.js';
import { mailboxName } from '../dns/mailbox.js';
import { DomainName } from '../dns/name.js';
import { NS } from '../dns/rdata/ns.js';
import { SOA } from '../dns/rdata/soa.js';
import type { RecordSet } from '../dns/master-file/record-set.js';
import type { DomainEntity } from '../domains/domain.entity.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { ZoneRepository, type ZoneRow } from './zone.repository.js';
import { ZONES_OPTIONS, type ZonesOptions } from './zones.options.js';

/** Timers of the SOA record in seconds, as RFC 1912 §2.2 and RFC 2308 §5 advise. */
const REFRESH = 3600;
const RETRY = 600;
const EXPIRE = 1_209_600;
const NEGATIVE_TTL = 3600;

/** A domain as a zone: what is generated, and what its records make (behaviour 4.6, 6.5). */
@Injectable()
export class ZoneContents {
  constructor(
    private readonly domains: DomainRepository,
    private readonly zones: ZoneRepository,
    @Inject(ZONES_OPTIONS) private readonly options: ZonesOptions,
  ) {}

  /**
   * The domain as it is where its records will be read.
   * @throws ServiceError `domain_not_found` when it has gone meanwhile
   */
  async domain(manager: Transaction, domainId: string): Promise<DomainEntity> {
    const domain = await this.domains.findIn(manager, domainId);
    if (domain !== undefined) return domain;
    throw new ServiceError('domain_not_found', 'The domain has just been deleted.');
  }

  /** SOA and apex NS first, then all other sets, owner names in canonical order (RFC 4034 §6.1). */
  async *recordSets(manager: Transaction, domain: DomainEntity): AsyncGenerator<RecordSet> {
    const apex = DomainName.parse(domain.name);
    yield { owner: apex, type: SOA, ttl: domain.ttl, rdatas: [this.soaOf(domain)] };
    yield await this.apexNs(manager, domain, apex);
    let set: ZoneRow[] = [];
    for await (const row of this.zones.rows(manager, domain.id)) {
      if (row.type === NS.name && row.ownerKey === domain.nameKey) continue;
      const [first] = set;
      if (first !== undefined && (first.ownerKey !== row.ownerKey || first.type !== row.type)) {
        yield this.setOf(set, domain);
        set = [];
      }
      set.push(row);
    }
    if (set.length > 0) yield this.setOf(set, domain);
  }

  /** Whether a record is one of the apex NS that the service makes itself. */
  isGenerated(domain: Readonly<DomainEntity>, ownerKey: string, type: string, rdata: Uint8Array): boolean {
    if (type !== NS.name || ownerKey !== domain.nameKey) return false;
    const server = DomainName.read(rdata);
    return this.options.nameServers.some((name) => DomainName.parse(name).equals(server));
  }

  private soaOf({ email, serial }: DomainEntity): Uint8Array {
    const [primary = '.'] = this.options.nameServers;
    const timers = `${REFRESH} ${RETRY} ${EXPIRE} ${NEGATIVE_TTL}`;
    return SOA.parse(`${primary} ${mailboxName(email).toString()} ${serial} ${timers}`, null);
  }

  /** The service's own name servers and those that the user added, each once. */
  private async apexNs(manager: Transaction, domain: DomainEntity, apex: DomainName): Promise<RecordSet> {
    const own = this.options.nameServers.map((name) => NS.parse(name, null));
    const rows = await this.zones.set(manager, domain.id, domain.nameKey, NS.name);
    const added = rows.map(rdataOf).filter((rdata) => !this.isGenerated(domain, domain.nameKey, NS.name, rdata));
    return { owner: apex, type: NS, ttl: ttlOf(rows, domain), rdatas: [...own, ...added] };
  }

  private setOf(rows: readonly ZoneRow[], domain: DomainEntity): RecordSet {
    const [first] = rows as readonly [ZoneRow];
    const type = this.options.types.byName(first.type);
    if (type === undefined) throw new Error(`a stored record has the type ${first.type}, which no code knows`);
    return { owner: DomainName.parse(first.name), type, ttl: ttlOf(rows, domain), rdatas: rows.map(rdataOf) };
  }
}

/** A record set has one TTL (RFC 2181 §5.2): the smallest that its records carry, else the domain's. */
function ttlOf(rows: readonly ZoneRow[], domain: DomainEntity): number {
  const ttls = rows.map(({ ttl }) => ttl).filter((ttl) => ttl !== null);
  return ttls.length > 0 ? Math.min(...ttls) : domain.ttl;
}

function rdataOf({ rdata }: ZoneRow): Uint8Array {
  return Buffer.from(rdata, 'hex');
}
