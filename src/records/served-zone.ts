import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import { mailboxName } from '../dns/mailbox.js';
import { DomainName } from '../dns/name.js';
import { NS } from '../dns/rdata/ns.js';
import { SOA } from '../dns/rdata/soa.js';
import type { RecordSet } from '../dns/master-file/record-set.js';
import type { Generation } from '../zones/generation.js';
import { readGeneration } from '../zones/zone-snapshot.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { RecordRepository, type ServedRecord } from './record.repository.js';
import { RecordsOptions } from './records.options.js';

/** A zone as name servers serve it: what is generated, and what its records make (behaviour 4.6, 6.5). */
@Injectable()
export class ServedZone {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * The zone as it is where its records will be read.
   * @throws ServiceError `zone_not_found` when it has gone meanwhile
   */
  async zone(tx: Transaction, zoneId: string): Promise<ZoneEntity> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone !== undefined) return zone;
    throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
  }

  /** SOA and apex NS first, then all other sets, owner names in canonical order (RFC 4034 §6.1). */
  async *recordSets(tx: Transaction, zone: ZoneEntity): AsyncGenerator<RecordSet> {
    const apex = DomainName.parse(zone.name);
    yield { owner: apex, type: SOA, ttl: zone.ttl, rdatas: [this.soaOf(zone)] };
    yield await this.apexNs(tx, zone, apex);
    let set: ServedRecord[] = [];
    for await (const row of this.records.served(tx, zone.id)) {
      if (row.type === NS.name && row.ownerKey === zone.nameKey) continue;
      const [first] = set;
      if (first !== undefined && (first.ownerKey !== row.ownerKey || first.type !== row.type)) {
        yield this.setOf(set, zone);
        set = [];
      }
      set.push(row);
    }
    if (set.length > 0) yield this.setOf(set, zone);
  }

  /** Whether a record is one of the apex NS that the service makes itself. */
  isGenerated(zone: Readonly<ZoneEntity>, ownerKey: string, type: string, rdata: Uint8Array): boolean {
    if (type !== NS.name || ownerKey !== zone.nameKey) return false;
    const { nameServer } = NS.values(rdata);
    return this.generationOf(zone).nameServers.some((name) => DomainName.parse(name).equals(nameServer));
  }

  /** What the zone says itself: its serial stands for that, whatever the configuration says by now. */
  private generationOf(zone: Readonly<ZoneEntity>): Generation {
    return readGeneration(zone) ?? this.options.generation;
  }

  private soaOf(zone: ZoneEntity): Uint8Array {
    const { nameServers, refresh, retry, expire, negativeTtl } = this.generationOf(zone);
    const [primary = '.'] = nameServers;
    const timers = `${refresh} ${retry} ${expire} ${negativeTtl}`;
    return SOA.parse(`${primary} ${mailboxName(zone.email).toString()} ${zone.serial} ${timers}`, null);
  }

  /** The service's own name servers and those that the user added, each once. */
  private async apexNs(tx: Transaction, zone: ZoneEntity, apex: DomainName): Promise<RecordSet> {
    const own = this.generationOf(zone).nameServers.map((name) => NS.parse(name, null));
    const records = await this.records.servedSet(tx, zone.id, zone.nameKey, NS.name);
    const added = records.map(rdataOf).filter((rdata) => !this.isGenerated(zone, zone.nameKey, NS.name, rdata));
    return { owner: apex, type: NS, ttl: ttlOf(records, zone), rdatas: [...own, ...added] };
  }

  private setOf(rows: readonly ServedRecord[], zone: ZoneEntity): RecordSet {
    const [first] = rows as readonly [ServedRecord];
    const type = this.options.knownTypes.byName(first.type);
    if (type === undefined) throw new Error(`a stored record has the type ${first.type}, which no code knows`);
    return { owner: DomainName.parse(first.name), type, ttl: ttlOf(rows, zone), rdatas: rows.map(rdataOf) };
  }
}

/** A record set has one TTL (RFC 2181 §5.2): the smallest that its records carry, else the zone's. */
function ttlOf(rows: readonly ServedRecord[], zone: ZoneEntity): number {
  const ttls = rows.map(({ ttl }) => ttl).filter((ttl) => ttl !== null);
  return ttls.length > 0 ? Math.min(...ttls) : zone.ttl;
}

function rdataOf({ rdata }: ServedRecord): Uint8Array {
  return Buffer.from(rdata, 'hex');
}
