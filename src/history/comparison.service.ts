import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { HistoryOptions } from './history.options.js';
import type { Moment } from './moment.js';
import { type RecordDifference, RecordDifferences } from './record-differences.js';

/** Compares a zone at two moments (behaviour 11.2). */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly differences: RecordDifferences,
    private readonly reads: Reads,
    private readonly options: HistoryOptions,
  ) {}

  /**
   * The differences of one moment of the database. It is held, and the comparison counts as under way, until all of them
   * have been taken: whoever takes them must not wait for a network.
   * @param to `null` for the zone as it is
   * @throws ServiceError `zone_not_found`, `unavailable`; `serial_not_found` while it is iterated
   */
  async compare(
    zoneId: string,
    caller: Caller,
    from: Moment,
    to: Moment | null,
  ): Promise<AsyncIterable<RecordDifference>> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    return this.counted(caller, (tx) => this.between(tx, id, from, to));
  }

  private async *counted<T>(caller: Caller, work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    const end = this.options.comparisons.take(caller.tenantId);
    try {
      yield* this.reads.stream(work);
    } finally {
      end();
    }
  }

  private async *between(
    tx: Transaction,
    zoneId: string,
    from: Moment,
    to: Moment | null,
  ): AsyncGenerator<RecordDifference> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    yield* this.differences.between(tx, zone, from, to ?? { serial: zone.serial });
  }
}
