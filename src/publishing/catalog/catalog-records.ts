import { DomainName } from '../../dns/name.js';
import { NS } from '../../dns/rdata/ns.js';
import { PTR } from '../../dns/rdata/ptr.js';
import { SOA } from '../../dns/rdata/soa.js';
import { TXT } from '../../dns/rdata/txt.js';
import { type AnswerSection, TransferWriter } from '../../dns/message/transfer-writer.js';
import { WireWriter } from '../../dns/message/wire-writer.js';

/** RFC 9432 §4: nothing in a catalog zone is looked up. */
export const CATALOG_TTL = 0;
/** RFC 9432 §4.1 */
const NOBODY = DomainName.parse('invalid.');
/** Refresh, retry, expire and minimum, in seconds: members stay however long the primary is away (RFC 9432 §4.1). */
const TIMERS = [3600, 600, 2_147_483_646, 0];

export interface CatalogMember {
  readonly zoneId: string;
  readonly name: string;
}

/** Writes the records of a catalog zone (RFC 9432, version 2) one after the other; each returns the sections that are full. */
export class CatalogRecords {
  private readonly writer: TransferWriter;
  private readonly zones: DomainName;
  private readonly group: Uint8Array | null;

  constructor(
    private readonly name: DomainName,
    group: string | null,
  ) {
    this.writer = new TransferWriter(name);
    this.zones = DomainName.parse('zones', name);
    this.group = group === null ? null : text(group);
  }

  soa(serial: number): AnswerSection[] {
    return this.add(this.name, SOA.code, catalogSoa(serial));
  }

  /** RFC 9432 §4.1, §4.2.1 */
  fixed(): AnswerSection[] {
    return [
      ...this.add(this.name, NS.code, NOBODY.wire),
      ...this.add(DomainName.parse('version', this.name), TXT.code, text('2')),
    ];
  }

  /** RFC 9432 §4.1, §4.4.2 */
  members(members: readonly CatalogMember[]): AnswerSection[] {
    const full: AnswerSection[] = [];
    const { writer, group } = this;
    const add = (owner: DomainName, type: number, rdata: Uint8Array): void => {
      const section = writer.add(owner, type, CATALOG_TTL, rdata);
      if (section !== null) full.push(section);
    };
    for (const { zoneId, name } of members) {
      const owner = DomainName.parse(zoneId, this.zones);
      add(owner, PTR.code, DomainName.parse(name).wire);
      if (group !== null) add(DomainName.parse('group', owner), TXT.code, group);
    }
    return full;
  }

  finish(): AnswerSection {
    return this.writer.finish();
  }

  private add(owner: DomainName, type: number, rdata: Uint8Array): AnswerSection[] {
    const full = this.writer.add(owner, type, CATALOG_TTL, rdata);
    return full === null ? [] : [full];
  }
}

export function catalogSoa(serial: number): Uint8Array {
  const rdata = new WireWriter().name(NOBODY).name(NOBODY).uint32(serial);
  for (const timer of TIMERS) rdata.uint32(timer);
  return rdata.finish();
}

function text(value: string): Uint8Array {
  const octets = Buffer.from(value);
  return new WireWriter().uint8(octets.length).octets(octets).finish();
}
