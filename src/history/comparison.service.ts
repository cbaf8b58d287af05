import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { Reads } from '../database/reads.js';
import { Spool } from '../database/render-cache/spool.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import type { HistoryPoint } from './history-point.js';
import { type RecordDifference, RecordDifferences } from './record-differences.js';

/** Two moments of a zone; `to` is `null` for the zone as it is. */
export interface HistoryPointPair {
  readonly from: HistoryPoint;
  readonly to: HistoryPoint | null;
}

/** How differences become the text of an answer. */
export interface DifferenceText {
  readonly write: (differences: AsyncIterable<RecordDifference>) => AsyncIterable<string>;
  /** Ends the work when the client has gone. */
  readonly gone: AbortSignal;
}

/** Compares a zone at two moments (behaviour 11.2). */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly differences: RecordDifferences,
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /**
   * The differences of one moment of the database, which is held until all of them have been taken: whoever takes them must
   * not wait for a network.
   * @throws ServiceError `zone_not_found`; `serial_not_found`, `unavailable` while it is iterated
   */
  async compare(
    zoneId: string,
    caller: Caller,
    { from, to }: HistoryPointPair,
  ): Promise<AsyncIterable<RecordDifference>> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    return this.reads.stream((tx) => this.between(tx, id, from, to));
  }

  /**
   * The same as text, complete before anybody reads it. It counts as under way until it has been read or destroyed.
   * @throws ServiceError `zone_not_found`, `serial_not_found`, `unavailable`
   */
  async compareInWords(
    zoneId: string,
    caller: Caller,
    points: HistoryPointPair,
    { write, gone }: DifferenceText,
  ): Promise<Readable> {
    const compared = (): Promise<Readable> =>
      this.reads.offPrimary(async () => this.spool.keep(write(await this.compare(zoneId, caller, points)), gone));
    const { tenantId } = caller;
    return this.streams.begin(tenantId, () => this.streams.inTurn(tenantId, compared));
  }

  private async *between(
    tx: Transaction,
    zoneId: string,
    from: HistoryPoint,
    to: HistoryPoint | null,
  ): AsyncGenerator<RecordDifference> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    yield* this.differences.between(tx, zone, from, to ?? { serial: zone.serial });
  }
}
