import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { SharedWork } from '../../common/waiting/shared-work.js';
import { ContentCache } from '../../database/render-cache/content-cache.js';
import { IxfrRenderer } from './ixfr-renderer.js';
import { type CopyContents, copyOf, type CachedTransfer } from './cached-transfer.js';
import type { Copy, PublishedZone } from './zone-source.js';

/** So many differences are written at a time. */
const AT_A_TIME = 4;
/** Servers ask for the same difference within seconds: so much is kept for the next one, in octets. */
const BOUNDS = { inMemory: 2 ** 22, onDisk: 2 ** 25 };

/** What differs between serials of zones. Each difference is written once for all name servers that ask for it. */
@Injectable()
export class ZoneDifferences implements OnModuleDestroy {
  private readonly kept = new ContentCache<CopyContents>(BOUNDS);
  private readonly limiter = new FairLimiter({ inAll: AT_A_TIME });
  private readonly underWay = new Map<string, SharedWork<CachedTransfer | null>>();

  constructor(private readonly rendering: IxfrRenderer) {}

  /**
   * From that serial to the one with which the zone was found, or to a later one.
   * @returns `null` where the whole zone has to be sent
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async find(zone: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null> {
    const key = `${zone.id} ${serial} ${zone.serial}`;
    const copy = this.kept.find(key) ?? (await this.workFor(key, zone.id, serial).wait(gone));
    return copy && copyOf(this.kept.use(key, copy));
  }

  onModuleDestroy(): void {
    this.kept.clear();
  }

  private workFor(key: string, zoneId: string, serial: number): SharedWork<CachedTransfer | null> {
    const known = this.underWay.get(key);
    if (known?.isWanted === true) return known;
    const work = new SharedWork(
      (inTurn) => this.limiter.run(inTurn),
      (unwanted) => this.render(key, zoneId, serial, unwanted),
    );
    this.underWay.set(key, work);
    work.whenDone(() => {
      if (this.underWay.get(key) === work) this.underWay.delete(key);
      this.kept.makeRoom();
    });
    return work;
  }

  private async render(
    key: string,
    zoneId: string,
    serial: number,
    unwanted: AbortSignal,
  ): Promise<CachedTransfer | null> {
    const copy = await this.rendering.render(zoneId, serial, unwanted);
    if (copy !== null) this.kept.put(key, copy);
    return copy;
  }
}
