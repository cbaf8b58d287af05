import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { DomainName } from '../../dns/name.js';
import { NS } from '../../dns/rdata/ns.js';
import { PTR } from '../../dns/rdata/ptr.js';
import { SOA } from '../../dns/rdata/soa.js';
import { TXT } from '../../dns/rdata/txt.js';
import { type AnswerSection, TransferWriter } from '../../dns/message/transfer-writer.js';
import { WireWriter } from '../../dns/message/wire-writer.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { PublishingOptions } from '../publishing.options.js';
import { type Copy, type PublishedZone, ZoneSource } from '../copies/zone-source.js';
import type { CatalogMemberEntity } from './catalog-member.entity.js';
import { type CatalogContents, CatalogRepository } from './catalog.repository.js';
import { CATALOG_ID } from './catalog.service.js';

/** RFC 9432 §4: nothing in a catalog zone is looked up. */
const TTL = 0;
/** RFC 9432 §4.1 */
const NOBODY = DomainName.parse('invalid.');
/** Refresh, retry, expire and minimum, in seconds: members stay however long the primary is away (RFC 9432 §4.1). */
const TIMERS = [3600, 600, 2_147_483_646, 0];

interface CatalogRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly rdata: Uint8Array;
}

/** The catalog zone of the pool (RFC 9432, version 2), made from its members when it is asked for. */
@Injectable()
export class CatalogZone extends ZoneSource {
  private readonly name: DomainName | null;
  private kept: { readonly serial: number; readonly copy: Promise<Copy> } | null = null;

  constructor(
    private readonly catalogs: CatalogRepository,
    { catalog }: PublishingOptions,
  ) {
    super();
    this.name = catalog === null ? null : DomainName.parse(catalog.name);
  }

  override async find(name: DomainName): Promise<PublishedZone | null> {
    if (this.name === null || !name.isWithin(this.name)) return null;
    const catalog = await this.catalogs.find();
    if (catalog === null) return null;
    const { serial } = catalog;
    return { id: CATALOG_ID, name: this.name, serial, soa: soaRdata(serial), ttl: TTL };
  }

  override async whole({ serial }: PublishedZone, _gone?: AbortSignal): Promise<Copy> {
    if (this.kept?.serial === serial) return this.kept.copy;
    const copy = this.contents().then(({ contents, records }) => records.whole(contents));
    this.kept = { serial, copy };
    copy.then(
      (made) => (this.kept = { serial: made.serial, copy }),
      () => (this.kept = null),
    );
    return copy;
  }

  override async since(_: PublishedZone, serial: number, _gone?: AbortSignal): Promise<Copy | null> {
    const { contents, records } = await this.contents();
    const { catalog } = contents;
    const isKnown = !isLaterSerial(catalog.historyFrom, serial) && !isLaterSerial(serial, catalog.serial);
    return isKnown ? records.since(contents, serial) : null;
  }

  /** RFC 9432 §4: nothing in it is looked up. */
  override answer(): Promise<null> {
    return Promise.resolve(null);
  }

  private async contents(): Promise<{ readonly contents: CatalogContents; readonly records: CatalogRecords }> {
    const contents = await this.catalogs.contents();
    if (contents === null || this.name === null)
      throw new ServiceError('zone_not_found', 'There is no catalog zone; name one in the configuration.');
    return { contents, records: new CatalogRecords(this.name, contents.catalog.memberGroup) };
  }
}

/** The records of a catalog zone. */
class CatalogRecords {
  private readonly zones: DomainName;

  constructor(
    private readonly name: DomainName,
    private readonly group: string | null,
  ) {
    this.zones = DomainName.parse('zones', name);
  }

  whole({ catalog, members }: CatalogContents): Copy {
    const soa = this.soa(catalog.serial);
    const present = members.filter(({ removedSerial }) => removedSerial === null);
    const records = [soa, ...this.fixed(), ...present.flatMap((member) => this.of(member)), soa];
    return this.copy(catalog.serial, records);
  }

  /** `null` where the whole zone says it in fewer records. */
  since({ catalog, members }: CatalogContents, serial: number): Copy | null {
    const soa = this.soa(catalog.serial);
    if (serial === catalog.serial) return this.copy(serial, [soa]);
    const had = ({ addedSerial }: CatalogMemberEntity): boolean => !isLaterSerial(addedSerial, serial);
    const has = ({ removedSerial }: CatalogMemberEntity): boolean => removedSerial === null;
    const lost = ({ removedSerial }: CatalogMemberEntity): boolean =>
      removedSerial !== null && isLaterSerial(removedSerial, serial);
    const removed = members.filter((member) => had(member) && lost(member));
    const added = members.filter((member) => !had(member) && has(member));
    if (removed.length + added.length > members.filter(has).length) return null;
    const of = (some: readonly CatalogMemberEntity[]): CatalogRecord[] => some.flatMap((member) => this.of(member));
    return this.copy(catalog.serial, [soa, this.soa(serial), ...of(removed), soa, ...of(added), soa]);
  }

  private soa(serial: number): CatalogRecord {
    return { owner: this.name, type: SOA.code, rdata: soaRdata(serial) };
  }

  /** RFC 9432 §4.1, §4.2.1 */
  private fixed(): CatalogRecord[] {
    return [
      { owner: this.name, type: NS.code, rdata: NOBODY.wire },
      { owner: DomainName.parse('version', this.name), type: TXT.code, rdata: text('2') },
    ];
  }

  /** RFC 9432 §4.1, §4.4.2 */
  private of({ zoneId, name }: CatalogMemberEntity): CatalogRecord[] {
    const owner = DomainName.parse(zoneId, this.zones);
    const member = { owner, type: PTR.code, rdata: DomainName.parse(name).wire };
    if (this.group === null) return [member];
    return [member, { owner: DomainName.parse('group', owner), type: TXT.code, rdata: text(this.group) }];
  }

  private copy(serial: number, records: readonly CatalogRecord[]): Copy {
    const writer = new TransferWriter(this.name);
    const sections: AnswerSection[] = [];
    for (const { owner, type, rdata } of records) {
      const full = writer.add(owner, type, TTL, rdata);
      if (full !== null) sections.push(full);
    }
    sections.push(writer.finish());
    return new CopyInMemory(serial, sections);
  }
}

class CopyInMemory implements Copy {
  readonly octets: number;

  constructor(
    readonly serial: number,
    private readonly parts: readonly AnswerSection[],
  ) {
    this.octets = parts.reduce((sum, { octets }) => sum + octets.length, 0);
  }

  async *sections(): AsyncGenerator<AnswerSection> {
    yield* this.parts;
  }

  release(): void {
    // The garbage collector does.
  }
}

function soaRdata(serial: number): Uint8Array {
  const rdata = new WireWriter().name(NOBODY).name(NOBODY).uint32(serial);
  for (const timer of TIMERS) rdata.uint32(timer);
  return rdata.finish();
}

function text(value: string): Uint8Array {
  const octets = Buffer.from(value);
  return new WireWriter().uint8(octets.length).octets(octets).finish();
}
