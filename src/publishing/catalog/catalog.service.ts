import { Injectable } from '@nestjs/common';
import { Clock, DAY, type Instant, toUnixSeconds } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { isLaterSerial, laterSerial, nextSerial, serialAt } from '../../zones/serials/serial.js';
import type { WantedZone } from '../pool/publication.repository.js';
import { PublishingOptions } from '../publishing.options.js';
import { CATALOG_ID, type CatalogEntity } from './catalog.entity.js';
import { CatalogRepository } from './catalog.repository.js';

/** Removed members are stored for differences. */
const REMEMBERED: Instant = 7 * DAY;
const PORTION = 1000;
const SCOPE: WorkScope = { queue: 'catalog', sharesConnections: true };

@Injectable()
export class CatalogService {
  constructor(
    private readonly catalogs: CatalogRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly options: PublishingOptions,
  ) {}

  get isConfigured(): boolean {
    return this.options.catalog !== null;
  }

  async current(): Promise<WantedZone | null> {
    const catalog = this.isConfigured ? await this.catalogs.find() : null;
    return catalog === null ? null : { id: CATALOG_ID, name: catalog.name, serial: catalog.serial };
  }

  /** Creates the catalog zone if missing, and applies the configuration. */
  async follow(): Promise<void> {
    if (this.isConfigured) await this.apply([]);
  }

  async reconcileWithin(after: string, upTo?: string): Promise<void> {
    if (!this.isConfigured) return;
    for (let ids; (ids = await this.catalogs.strayWithin(PORTION, after, upTo)).length > 0;) await this.apply(ids);
  }

  /** Returns whether the catalog zone has changed. */
  async reconcile(ids: readonly string[]): Promise<boolean> {
    if (!this.isConfigured || ids.length === 0) return false;
    const stray = await this.catalogs.strayAmong(ids);
    if (stray.length > 0) await this.apply(stray);
    return stray.length > 0;
  }

  /** Returns the catalog zone if these changes of zones affect it. */
  async changedBy(ids: readonly string[]): Promise<WantedZone | null> {
    return (await this.reconcile(ids)) ? this.current() : null;
  }

  /** For a restore. Clients with an earlier serial get the whole zone, because its members may differ. */
  async raiseSerial(margin: number): Promise<void> {
    if (!this.isConfigured) return;
    await this.unitOfWork.run(async (tx) => {
      const before = await this.catalogs.lockPresent(tx);
      if (before === undefined) return;
      const serial = laterSerial(nextSerial(before.serial, toUnixSeconds(this.clock.now())), margin);
      await this.catalogs.update(tx, { ...before, serial, historyFrom: serial });
    }, SCOPE);
  }

  private apply(ids: readonly string[]): Promise<void> {
    return this.unitOfWork.run((tx) => this.change(tx, ids), SCOPE);
  }

  private async change(tx: Transaction, ids: readonly string[]): Promise<void> {
    const { catalog: configured } = this.options;
    if (configured === null) return;
    const now = this.clock.now();
    const fresh = { name: configured.name, memberGroup: configured.group };
    const firstSerial = serialAt(toUnixSeconds(now));
    const before = await this.catalogs.lock(tx, { ...fresh, serial: firstSerial, historyFrom: firstSerial });
    const isOther = before.name !== fresh.name || before.memberGroup !== fresh.memberGroup;
    const { zones, members } = await this.catalogs.among(tx, ids);
    const added = [...zones.values()].filter(({ id }) => !members.has(id));
    const gone = [...members.values()].filter(({ zoneId }) => !zones.has(zoneId));
    const removed = [...gone, ...(await this.catalogs.keptInPlaceOf(tx, added))];
    if (!isOther && added.length + removed.length === 0) return;
    const serial = nextSerial(before.serial, toUnixSeconds(now));
    await this.catalogs.add(tx, added, serial);
    await this.catalogs.remove(tx, removed, serial, now);
    const historyFrom = isOther ? serial : await this.forgetOld(tx, before, now);
    await this.catalogs.update(tx, { ...before, ...fresh, serial, historyFrom });
  }

  /** Returns the earliest serial with a known difference. */
  private async forgetOld(tx: Transaction, { historyFrom }: CatalogEntity, now: Instant): Promise<number> {
    const forgotten = await this.catalogs.forget(tx, now - REMEMBERED);
    return forgotten.reduce((latest, serial) => (isLaterSerial(serial, latest) ? serial : latest), historyFrom);
  }
}
