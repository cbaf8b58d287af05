import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { type AnswerSection, TransferWriter } from '../../dns/message/transfer-writer.js';
import { DomainName } from '../../dns/name.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { type CopyPart, CopySpool, type CachedTransfer } from '../transfers/copy-spool.js';
import type { CatalogEntity, CatalogMember } from './catalog.entity.js';
import { CatalogRepository, type ChangedMembers } from './catalog.repository.js';
import { NS, PTR } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import { TXT } from '../../dns/rdata/text-types.js';
import { WireWriter } from '../../dns/message/wire.js';

/** Above this limit the whole zone is sent instead of a difference. */
const MOST_CHANGES = 50_000;
const MEMBERS_IN_A_STEP = 1000;

@Injectable()
export class CatalogRenderer {
  constructor(
    private readonly catalogs: CatalogRepository,
    private readonly reads: Reads,
    private readonly spool: CopySpool,
  ) {}

  whole(name: DomainName, gone: AbortSignal): Promise<CachedTransfer> {
    const parts = (): AsyncIterable<CopyPart> => this.reads.stream((tx) => this.wholeParts(tx, name));
    return this.reads.fromAny(() => this.spool.keep(parts(), gone));
  }

  /** Returns `null` if the whole zone has to be sent or has fewer records. */
  async since(name: DomainName, serial: number, gone: AbortSignal): Promise<CachedTransfer | null> {
    const difference = await this.reads.fromAny(() => this.reads.run((tx) => this.differenceSince(tx, serial)));
    return difference && this.spool.keep(differenceParts(name, difference, serial), gone);
  }

  private async *wholeParts(tx: Transaction, name: DomainName): AsyncGenerator<CopyPart> {
    const catalog = await this.catalog(tx);
    yield catalog.serial;
    const records = new CatalogRecords(name, catalog.memberGroup);
    yield* [...records.soa(catalog.serial), ...records.fixed()];
    for await (const page of this.catalogs.members(tx)) {
      yield* records.members(page);
      await nextTurn();
    }
    yield* [...records.soa(catalog.serial), records.finish()];
  }

  private async differenceSince(tx: Transaction, serial: number): Promise<CatalogDifference | null> {
    const catalog = await this.catalog(tx);
    if (!(await this.isKnown(tx, catalog, serial))) return null;
    const changed = await this.catalogs.changedBetween(tx, { from: serial, to: catalog.serial }, MOST_CHANGES);
    if (changed === null) return null;
    const count = changed.added.length + changed.removed.length;
    const isWorthIt = count === 0 || (await this.catalogs.hasMembers(tx, count));
    return isWorthIt ? { catalog, ...changed } : null;
  }

  /** Name servers may have a serial that was lost in a failover or a restore. */
  private async isKnown(
    tx: Transaction,
    { historyFrom, serial: latest }: CatalogEntity,
    serial: number,
  ): Promise<boolean> {
    if (serial === historyFrom) return true;
    if (isLaterSerial(historyFrom, serial) || isLaterSerial(serial, latest)) return false;
    return this.catalogs.hasChangeWith(tx, serial);
  }

  private async catalog(tx: Transaction): Promise<CatalogEntity> {
    const catalog = await this.catalogs.findIn(tx);
    if (catalog === undefined)
      throw new ServiceError('zone_not_found', 'Catalog zone not found; set catalog_zone in [service:mdns].');
    return catalog;
  }
}

interface CatalogDifference extends ChangedMembers {
  readonly catalog: CatalogEntity;
}

async function* differenceParts(
  name: DomainName,
  { catalog, removed, added }: CatalogDifference,
  serial: number,
): AsyncGenerator<CopyPart> {
  yield catalog.serial;
  const records = new CatalogRecords(name, catalog.memberGroup);
  yield* records.soa(catalog.serial);
  // RFC 1995 §2: a client with that serial gets the SOA alone.
  if (serial !== catalog.serial) {
    yield* records.soa(serial);
    yield* memberParts(records, removed);
    yield* records.soa(catalog.serial);
    yield* memberParts(records, added);
    yield* records.soa(catalog.serial);
  }
  yield records.finish();
}

async function* memberParts(records: CatalogRecords, members: readonly CatalogMember[]): AsyncGenerator<AnswerSection> {
  for (let at = 0; at < members.length; at += MEMBERS_IN_A_STEP) {
    yield* records.members(members.slice(at, at + MEMBERS_IN_A_STEP));
    await nextTurn();
  }
}

/** RFC 9432 §4: resolvers do not query a catalog zone. */
export const CATALOG_TTL = 0;
/** RFC 9432 §4.1 */
const INVALID = DomainName.parse('invalid.');
/** Refresh, retry, expire and minimum, in seconds. Members stay during any outage of the primary (RFC 9432 §4.1). */
const TIMERS = [3600, 600, 2_147_483_646, 0];

/** Writes the records of a catalog zone (RFC 9432, version 2). Each method returns the completed sections. */
class CatalogRecords {
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
      ...this.add(this.name, NS.code, INVALID.wire),
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
  const rdata = new WireWriter().name(INVALID).name(INVALID).uint32(serial);
  for (const timer of TIMERS) rdata.uint32(timer);
  return rdata.finish();
}

function text(value: string): Uint8Array {
  const octets = Buffer.from(value);
  return new WireWriter().uint8(octets.length).octets(octets).finish();
}
