import type { Socket } from 'node:net';
import { Rcode, RecordClass } from '../../src/dns/message/codes.js';
import { responseHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import { DomainName } from '../../src/dns/name.js';
import { type RecordType, RecordTypes, SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { dnsAnswer, type MasterManners } from './hostile-master.js';

const TYPES = new RecordTypes(STANDARD_TYPES);
const CNAME = 5;
const NS = 2;

/** Answers over TCP as an authoritative server with these lines: `www 300 A 192.0.2.1`, names relative to the zone. */
export class FormerProvider implements MasterManners {
  readonly asked: string[] = [];
  private readonly records: readonly ResourceRecord[];
  private readonly apex: DomainName;

  constructor(
    readonly zone: string,
    lines: readonly string[],
    private readonly allowsTransfer = true,
  ) {
    this.apex = DomainName.parse(zone);
    const soa = `@ 3600 SOA ns1.old.example. hostmaster.old.example. 7 3600 600 86400 300`;
    this.records = [soa, ...lines].map((line) => this.read(line));
  }

  readonly soa = (query: Message): Buffer => {
    const [question] = query.questions;
    this.asked.push(`${question!.name.toString()} ${question!.type}`);
    const name = question!.name;
    if (!name.isWithin(this.apex)) return dnsAnswer(query, [], Rcode.REFUSED);
    const cut = this.records.find(
      ({ type, owner }) => type === NS && !owner.equals(this.apex) && name.isWithin(owner) && question!.type !== 43,
    );
    if (cut !== undefined) return this.referral(query, cut.owner);
    const here = this.at(name);
    const answers = here.filter(({ type }) => type === question!.type || type === CNAME);
    const exists = here.length > 0 || this.records.some(({ owner }) => owner.isWithin(name));
    return dnsAnswer(query, answers, exists ? Rcode.NOERROR : Rcode.NXDOMAIN);
  };

  readonly axfr = (query: Message, _socket: Socket): Buffer[] => {
    if (!this.allowsTransfer) return [dnsAnswer(query, [], Rcode.REFUSED)];
    return [dnsAnswer(query, [...this.records, this.records[0]!])];
  };

  private at(name: DomainName): readonly ResourceRecord[] {
    const own = this.records.filter(({ owner }) => owner.equals(name));
    if (own.length > 0 || this.records.some(({ owner }) => owner.isWithin(name))) return own;
    const wildcard = DomainName.parse('*', this.apex);
    return this.records.filter(({ owner }) => owner.equals(wildcard)).map((record) => ({ ...record, owner: name }));
  }

  private referral(query: Message, cut: DomainName): Buffer {
    const authorities = this.records.filter(({ type, owner }) => type === NS && owner.equals(cut));
    const additionals = this.records.filter(({ owner }) => owner.isWithin(cut) && !owner.equals(cut));
    const header = { ...responseHeader(query.header, Rcode.NOERROR), isAuthoritative: false };
    return framed(writeMessage({ header, questions: query.questions, authorities, additionals }));
  }

  private read(line: string): ResourceRecord {
    const [name = '', ttl = '', typeName = '', ...data] = line.split(' ');
    const type = typeName === 'SOA' ? SOA : TYPES.byName(typeName);
    if (type === undefined) throw new Error(`no type ${typeName}`);
    const owner = name === '@' ? this.apex : DomainName.parse(name, this.apex);
    return { owner, type: type.code, class: RecordClass.IN, ttl: Number(ttl), rdata: parsed(type, data) };
  }
}

/** Version 1 has the preference of an MX in a field of its own. */
function parsed(type: RecordType, data: readonly string[]): Uint8Array {
  return type.name === 'MX' ? type.parse(data.slice(1).join(' '), Number(data[0])) : type.parse(data.join(' '), null);
}
