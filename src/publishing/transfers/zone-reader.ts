import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';

/** How often a zone is read beside changes of it before it is read from a snapshot. */
const ATTEMPTS = 3;

/** Reads a little of a zone, all of it at one version of the zone. */
@Injectable()
export class ZoneReader {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly served: ServedZone,
    private readonly reads: Reads,
  ) {}

  /**
   * What `read` makes of the zone. It may be called several times: a snapshot costs a connection of its own, which takes
   * longer than to read again what has changed meanwhile.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async run<T>(zoneId: string, read: (tx: Transaction, zone: ZoneEntity) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const outcome = await this.reads.run((tx) => this.attempt(tx, zoneId, read));
      if (outcome !== null) return outcome.value;
    }
    return this.atOnce(zoneId, read);
  }

  /** `null` where the zone has changed before everything was read, so that what was read may not even go together. */
  private async attempt<T>(
    tx: Transaction,
    zoneId: string,
    read: (tx: Transaction, zone: ZoneEntity) => Promise<T>,
  ): Promise<{ readonly value: T } | null> {
    const zone = await this.served.zone(tx, zoneId);
    try {
      const value = await read(tx, zone);
      return (await this.isStill(tx, zone)) ? { value } : null;
    } catch (error) {
      if (await this.isStill(tx, zone)) throw error;
      return null;
    }
  }

  private async isStill(tx: Transaction, { id, version, publishedSerial }: ZoneEntity): Promise<boolean> {
    const now = await this.zones.findIn(tx, id);
    return now?.version === version && now.publishedSerial === publishedSerial;
  }

  /**
   * The same from a snapshot, for what takes its time.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async atOnce<T>(zoneId: string, read: (tx: Transaction, zone: ZoneEntity) => Promise<T>): Promise<T> {
    const { served } = this;
    const snapshot = this.reads.stream(async function* (tx) {
      yield { value: await read(tx, await served.zone(tx, zoneId)) };
    });
    for await (const { value } of snapshot) return value;
    throw new Error('a snapshot is read once');
  }
}
