import { Injectable } from '@nestjs/common';
import { groupedBy } from '../../common/grouped.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { MetaType, RecordClass, Rcode } from '../../dns/message/codes.js';
import type { Question, ResourceRecord } from '../../dns/message/message.js';
import { DomainName } from '../../dns/name.js';
import { keyAbove, keysOnPath, wildcardKey } from '../../dns/name-key.js';
import { CNAME, DNAME, NS } from '../../dns/rdata/name-types.js';
import { DS } from '../../dns/rdata/dnssec.js';
import { SOA } from '../../dns/rdata/index.js';
import { isServedSet, RecordSetRepository } from '../../records/record-set.repository.js';
import { RecordRepository } from '../../records/record.repository.js';
import { RecordsOptions } from '../../records/records.options.js';
import { isOmitted, ServedZone } from '../../records/served/served-zone.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { PublishedZone, ZoneAnswer } from './zone-source.js';

/** Answers record queries of update clients (behaviour 20.7). Does not follow aliases. */
@Injectable()
export class ZoneRecords {
  constructor(
    private readonly reads: Reads,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly options: RecordsOptions,
  ) {}

  answer(zone: Pick<PublishedZone, 'id'>, question: Question): Promise<ZoneAnswer> {
    return this.reads.fromAny(() =>
      this.reads.run(async (tx) => {
        const row = await this.served.zone(tx, zone.id);
        return new Search(tx, row, question, this).answer();
      }),
    );
  }

  async typesAt(tx: Transaction, { id }: ZoneEntity, owners: readonly string[]): Promise<Map<string, string[]>> {
    const sets = await this.recordSets.atOwners(tx, id, owners);
    const filled = sets.filter(isServedSet);
    const byOwner = groupedBy(filled, ({ ownerKey }) => ownerKey);
    return new Map([...byOwner].map(([owner, ofOwner]) => [owner, ofOwner.map(({ type }) => type)]));
  }

  /** Whether the name or a name below it has records. */
  isThere(tx: Transaction, { id }: ZoneEntity, ownerKey: string): Promise<boolean> {
    return this.recordSets.isServed(tx, id, ownerKey);
  }

  async setAt(tx: Transaction, zone: ZoneEntity, ownerKey: string, type: string): Promise<ResourceRecord[]> {
    const rows = await this.records.servedSet(tx, zone.id, ownerKey, type);
    return this.served.setAt(zone, { ownerKey, type }, rows).flatMap((set) => {
      if (isOmitted(set)) return [];
      const { owner, ttl } = set;
      return set.rdatas.map((rdata) => ({ owner, type: set.type.code, class: RecordClass.IN, ttl, rdata }));
    });
  }

  soaOf(zone: ZoneEntity): ResourceRecord {
    const owner = DomainName.parse(zone.name);
    return { owner, type: SOA.code, class: RecordClass.IN, ttl: servedSoaTtl(zone), rdata: this.served.soaOf(zone) };
  }

  typeName(code: number): string | null {
    return this.options.knownTypes.byCode(code)?.name ?? null;
  }
}

class Search {
  private readonly key: string;
  private types: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(
    private readonly tx: Transaction,
    private readonly zone: ZoneEntity,
    private readonly question: Question,
    private readonly data: ZoneRecords,
  ) {
    this.key = question.name.key;
  }

  async answer(): Promise<ZoneAnswer> {
    const path = keysOnPath(this.zone.nameKey, this.key);
    this.types = await this.data.typesAt(this.tx, this.zone, path);
    for (const key of path.slice(1)) {
      const types = this.types.get(key) ?? [];
      if (types.includes(NS.name) && !(key === this.key && this.question.type === DS.code)) return this.referral(key);
      if (types.includes(DNAME.name) && key !== this.key) return this.redirection(key);
    }
    if (this.key === this.zone.nameKey || this.types.has(this.key)) return this.ofName(this.key);
    if (await this.data.isThere(this.tx, this.zone, this.key)) return this.negative(Rcode.NOERROR);
    const wildcard = wildcardKey(await this.closestEncloser());
    this.types = await this.data.typesAt(this.tx, this.zone, [wildcard]);
    return this.types.has(wildcard) ? this.ofName(wildcard) : this.negative(Rcode.NXDOMAIN);
  }

  private async ofName(key: string): Promise<ZoneAnswer> {
    const { type } = this.question;
    const isApex = key === this.zone.nameKey;
    if (isApex && (type === SOA.code || type === MetaType.ANY)) return this.found([this.data.soaOf(this.zone)]);
    const types = this.types.get(key) ?? [];
    // RFC 8482 §4.1: any one set answers ANY.
    const asked = type === MetaType.ANY ? types[0] : this.data.typeName(type);
    const name = types.includes(CNAME.name) ? CNAME.name : asked;
    const records = name === undefined || name === null ? [] : await this.setAt(key, name);
    return records.length > 0 ? this.found(records) : this.negative(Rcode.NOERROR);
  }

  /** Records of a wildcard get the queried name (RFC 4592 §3.3). */
  private async setAt(key: string, type: string): Promise<ResourceRecord[]> {
    const records = await this.data.setAt(this.tx, this.zone, key, type);
    return key === this.key ? records : records.map((record) => ({ ...record, owner: this.question.name }));
  }

  /** Returns the closest encloser (RFC 4592 §3.3.1). */
  private async closestEncloser(): Promise<string> {
    let key = keyAbove(this.key);
    while (key !== this.zone.nameKey && !(await this.data.isThere(this.tx, this.zone, key))) key = keyAbove(key);
    return key;
  }

  private async referral(key: string): Promise<ZoneAnswer> {
    const authorities = await this.data.setAt(this.tx, this.zone, key, NS.name);
    return { rcode: Rcode.NOERROR, isAuthoritative: false, answers: [], authorities };
  }

  /** RFC 6672 §3.1: synthesizes a CNAME. */
  private async redirection(key: string): Promise<ZoneAnswer> {
    const [record] = await this.data.setAt(this.tx, this.zone, key, DNAME.name);
    if (record === undefined) return this.negative(Rcode.NOERROR);
    const { name } = this.question;
    const labels = name.wire.subarray(0, name.wire.length - record.owner.wire.length);
    const target = Buffer.concat([labels, record.rdata]);
    if (target.length > LONGEST_NAME) return { ...this.found([record]), rcode: Rcode.YXDOMAIN };
    return this.found([record, { ...record, owner: name, type: CNAME.code, rdata: target }]);
  }

  private found(answers: readonly ResourceRecord[]): ZoneAnswer {
    return { rcode: Rcode.NOERROR, isAuthoritative: true, answers, authorities: [] };
  }

  /** RFC 2308 §3: the SOA limits the negative TTL. */
  private negative(rcode: number): ZoneAnswer {
    const soa = this.data.soaOf(this.zone);
    const ttl = Math.min(soa.ttl, SOA.values(soa.rdata).minimum);
    return { rcode, isAuthoritative: true, answers: [], authorities: [{ ...soa, ttl }] };
  }
}

/** In octets (RFC 1035 §2.3.4). */
const LONGEST_NAME = 255;
