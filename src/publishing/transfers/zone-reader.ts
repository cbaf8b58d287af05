import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';

/** Attempts to read a zone at one version before a snapshot is used. */
const ATTEMPTS = 3;

/** Reads small parts of a zone, consistently at one version. */
@Injectable()
export class ZoneReader {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly served: ServedZone,
    private readonly reads: Reads,
  ) {}

  /** Repeats `read` if the zone has changed meanwhile. A snapshot needs its own connection and is slower. */
  async run<T>(zoneId: string, read: (tx: Transaction, zone: ZoneEntity) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const outcome = await this.reads.run((tx) => this.attempt(tx, zoneId, read));
      if (outcome !== null) return outcome.value;
    }
    return this.atOnce(zoneId, read);
  }

  /** Returns `null` if the zone has changed during the read, so that the result may be inconsistent. */
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

  /** Runs reads on any server of the database, including standbys. */
  fromAny<T>(work: () => Promise<T>): Promise<T> {
    return this.reads.fromAny(work);
  }

  /** Yields from a snapshot of the zone. */
  stream<T>(zoneId: string, read: (tx: Transaction, zone: ZoneEntity) => AsyncIterable<T>): AsyncIterable<T> {
    const { served } = this;
    return this.reads.stream(async function* (tx) {
      yield* read(tx, await served.zone(tx, zoneId));
    });
  }

  /** Reads from a snapshot, for long reads. */
  async atOnce<T>(zoneId: string, read: (tx: Transaction, zone: ZoneEntity) => Promise<T>): Promise<T> {
    const snapshot = this.stream(zoneId, async function* (tx, zone) {
      yield { value: await read(tx, zone) };
    });
    for await (const { value } of snapshot) return value;
    throw new Error('a snapshot is read once');
  }
}
