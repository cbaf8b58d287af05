import { randomBytes } from 'node:crypto';
import type { Message, ResourceRecord } from '../dns/message/message.js';
import { Rcode, RecordClass } from '../dns/message/codes.js';
import { DomainName, NameError, nameOrNull } from '../dns/name.js';
import { A, AAAA } from '../dns/rdata/address-types.js';
import { DS } from '../dns/rdata/dnssec.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { CNAME, DNAME, NS } from '../dns/rdata/name-types.js';
import { SOA } from '../dns/rdata/soa.js';
import { hasSameData } from '../publishing/pool/answer-comparison.js';
import { COMMON_NAMES, OF_APEX, OF_HOST, OF_WILDCARD } from './common-names.js';
import type { ServerQuestions } from './server-questions.js';

const AT_A_TIME = 8;
/** Names that answers lead to. */
const MOST_FOLLOWED = 100;
/** Octet at which the target of a type begins: NS, CNAME, MX, SRV, SVCB, HTTPS. */
const TARGETS: ReadonlyMap<number, number> = new Map([
  [2, 0],
  [5, 0],
  [15, 2],
  [33, 6],
  [64, 2],
  [65, 2],
]);

interface WaitingName {
  readonly name: DomainName;
  readonly types: readonly number[];
}

/** Finds what can be seen of a zone by asking for common names, and for names that the answers lead to. */
export class ZoneExploration {
  asked = 0;
  unanswered = 0;
  private readonly known = new Map<string, WaitingName>();
  private readonly waiting: WaitingName[] = [];
  private readonly found = new Map<string, ResourceRecord[]>();
  private readonly wildcards: { readonly encloser: DomainName; readonly records: readonly ResourceRecord[] }[] = [];
  private readonly cuts: DomainName[] = [];
  private followed = 0;
  private octets = 0;

  /** @param servers authoritative ones, in order of preference */
  constructor(
    private readonly zone: DomainName,
    private readonly servers: readonly ServerQuestions[],
    private readonly types: RecordTypes,
    private readonly mostOctets: number,
  ) {}

  get names(): string[] {
    return [...this.known.values()].map(({ name }) => name.toString());
  }

  /** The answers have more octets than a zone file may have. */
  get isTooLarge(): boolean {
    return this.octets > this.mostOctets;
  }

  /** Records in the order of their names, the SOA first. */
  records(): ResourceRecord[] {
    const keys = [...this.found.keys()].sort();
    const all = keys.flatMap((key) => this.found.get(key) ?? []);
    const isSoa = ({ type }: ResourceRecord): boolean => type === SOA.code;
    return [...all.filter(isSoa), ...all.filter((record) => !isSoa(record))];
  }

  async run(stop: AbortSignal): Promise<void> {
    await this.explore({ name: this.zone, types: this.codesOf(OF_APEX) });
    // Before other names, because a wildcard answers for each of them.
    for (const parent of ['', '_domainkey']) await this.findWildcard(parent);
    for (const { name, types } of COMMON_NAMES) this.add(this.nameBelow(name), types);
    const work = async (): Promise<void> => {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
        if (stop.aborted || this.isTooLarge) this.unanswered += 1;
        else await this.explore(next);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }

  private async explore({ name, types }: WaitingName): Promise<void> {
    this.known.set(name.key, { name, types });
    if (this.cuts.some((cut) => name.isWithin(cut))) return;
    const records: ResourceRecord[] = [];
    for (const type of types) {
      const message = await this.ask(name, type);
      if (message === null) continue;
      if (!message.header.isAuthoritative) return this.takeDelegation(message, name);
      const answers = answersAt(message, name, type);
      records.push(...answers);
      const hidden = message.answers.filter((record) => record.type === DNAME.code && !record.owner.equals(name));
      if (hidden.length > 0) {
        this.take(hidden);
        return;
      }
      // An alias has no other records, and a missing name has none at all.
      if (answers.some((record) => record.type === CNAME.code) || message.header.rcode === Rcode.NXDOMAIN) break;
    }
    if (!this.isSynthesized(name, types, records)) this.take(records);
  }

  private async findWildcard(parent: string): Promise<void> {
    const unlikely = `zonewright-${randomBytes(6).toString('hex')}`;
    const name = this.nameBelow(parent === '' ? unlikely : `${unlikely}.${parent}`);
    const encloser = this.nameBelow(parent === '' ? '@' : parent);
    const wildcard = this.nameBelow(parent === '' ? '*' : `*.${parent}`);
    if (name === null || encloser === null || wildcard === null) return;
    const records: ResourceRecord[] = [];
    for (const type of this.codesOf(OF_WILDCARD)) {
      const message = await this.ask(name, type);
      if (message?.header.isAuthoritative !== true) continue;
      const answers = answersAt(message, name, type);
      records.push(...answers.map((record) => ({ ...record, owner: wildcard })));
      if (answers.some((record) => record.type === CNAME.code) || message.header.rcode === Rcode.NXDOMAIN) break;
    }
    if (records.length === 0) return;
    // Below `_domainkey` the wildcard of the zone answers too, unless that name exists.
    if (this.wildcards.some((other) => hasSameData(other.records, records, this.types))) return;
    this.wildcards.push({ encloser, records });
    this.take(records);
  }

  /** Whether a wildcard gives all that the name has. */
  private isSynthesized(name: DomainName, types: readonly number[], records: readonly ResourceRecord[]): boolean {
    if (records.length === 0 || name.equals(this.zone)) return false;
    return this.wildcards.some(({ encloser, records: all }) => {
      const asked = all.filter(({ type }) => type === CNAME.code || types.includes(type));
      return name.isWithin(encloser) && hasSameData(records, asked, this.types);
    });
  }

  private async takeDelegation({ authorities, additionals }: Message, name: DomainName): Promise<void> {
    const [first] = authorities.filter(({ type, owner }) => type === NS.code && this.isBelow(owner));
    if (first === undefined || !name.isWithin(first.owner)) return;
    const cut = first.owner;
    if (this.cuts.some((other) => other.equals(cut))) return;
    this.cuts.push(cut);
    this.known.set(cut.key, { name: cut, types: [] });
    const delegation = authorities.filter(({ type, owner }) => type === NS.code && owner.equals(cut));
    const targets = delegation.flatMap((record) => this.targetOf(record) ?? []);
    const isGlue = ({ type, owner }: ResourceRecord): boolean =>
      (type === A.code || type === AAAA.code) && owner.isWithin(this.zone) && targets.some((one) => one.equals(owner));
    const ds = await this.ask(cut, DS.code);
    this.take([...delegation, ...additionals.filter(isGlue), ...(ds === null ? [] : answersAt(ds, cut, DS.code))]);
  }

  private take(records: readonly ResourceRecord[]): void {
    for (const record of records) {
      const { owner, type, rdata } = record;
      if (record.class !== RecordClass.IN || !owner.isWithin(this.zone)) continue;
      const known = this.found.get(owner.key) ?? [];
      if (known.some((other) => hasSameData([other], [record], this.types))) continue;
      this.found.set(owner.key, [...known, record]);
      this.octets += owner.wire.length + rdata.length;
      const target = TARGETS.has(type) ? this.targetOf(record) : null;
      if (target !== null && this.isBelow(target) && !this.known.has(target.key)) this.follow(target);
    }
  }

  private follow(name: DomainName): void {
    if (this.followed >= MOST_FOLLOWED) return;
    this.followed += 1;
    this.add(name, OF_HOST);
  }

  private add(name: DomainName | null, types: readonly string[]): void {
    if (name === null || this.known.has(name.key)) return;
    const one = { name, types: this.codesOf(types) };
    this.known.set(name.key, one);
    this.waiting.push(one);
  }

  private targetOf({ type, rdata }: ResourceRecord): DomainName | null {
    const offset = TARGETS.get(type);
    return offset === undefined ? null : readName(rdata, offset);
  }

  private async ask(name: DomainName, type: number): Promise<Message | null> {
    this.asked += 1;
    for (const server of this.servers) {
      const message = await server.ask(name, type);
      if (message !== null) return message;
    }
    this.unanswered += 1;
    return null;
  }

  private nameBelow(relative: string): DomainName | null {
    return nameOrNull(() => DomainName.parse(relative, this.zone));
  }

  private isBelow(name: DomainName): boolean {
    return name.isWithin(this.zone) && !name.equals(this.zone);
  }

  private codesOf(types: readonly string[]): number[] {
    return types.flatMap((name) => (name === SOA.name ? SOA : this.types.byName(name))?.code ?? []);
  }
}

function answersAt({ answers }: Message, name: DomainName, type: number): ResourceRecord[] {
  return answers.filter(
    (record) =>
      record.class === RecordClass.IN &&
      record.owner.equals(name) &&
      (record.type === type || record.type === CNAME.code || record.type === DNAME.code),
  );
}

/** Targets of unusual forms lead nowhere. */
function readName(rdata: Uint8Array, offset: number): DomainName | null {
  try {
    return DomainName.read(rdata, offset);
  } catch (error) {
    if (error instanceof NameError) return null;
    throw error;
  }
}
