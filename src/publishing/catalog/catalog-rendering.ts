import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';
import type { DomainName } from '../../dns/name.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { type CopyPart, CopySpool } from '../transfers/copy-spool.js';
import type { CachedTransfer } from '../transfers/cached-transfer.js';
import type { CatalogEntity } from './catalog.entity.js';
import { type CatalogMember, CatalogRecords } from './catalog-records.js';
import { CatalogRepository, type ChangedMembers } from './catalog.repository.js';

/** A longer difference is not worth its reading: the whole zone is sent. */
const MOST_CHANGES = 50_000;
/** From one turn of the event loop to the next. */
const MEMBERS_IN_A_STEP = 1000;

/** Writes the catalog zone for transfers, page by page. */
@Injectable()
export class CatalogRendering {
  constructor(
    private readonly catalogs: CatalogRepository,
    private readonly reads: Reads,
    private readonly spool: CopySpool,
  ) {}

  /** @throws ServiceError `zone_not_found`, `unavailable` */
  whole(name: DomainName, gone: AbortSignal): Promise<CachedTransfer> {
    return this.reads.fromAny(() =>
      this.spool.keep(
        this.reads.stream((tx) => this.wholeParts(tx, name)),
        gone,
      ),
    );
  }

  /**
   * What differs from that serial.
   * @returns `null` where the whole zone has to be sent, or says it in fewer records
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
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

  /** Name servers may have one that was lost with a primary, or since the copy that was restored. */
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
      throw new ServiceError('zone_not_found', 'There is no catalog zone; name one in the configuration.');
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
  // RFC 1995 §2: who has that serial is sent the SOA alone.
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
