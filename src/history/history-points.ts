import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { HistoryRepository, type JournalPosition } from './history.repository.js';
import { type JournalStep, type HistoryPoint, stepsBehind } from './history-point.js';

/** Finds the step of the journal after which a zone was as it was at a moment. */
@Injectable()
export class HistoryPoints {
  constructor(private readonly history: HistoryRepository) {}

  /**
   * The last step of the change that led to the state of that moment.
   * @throws ServiceError `serial_not_found` for what is not in the journal, or not any more
   */
  async find(tx: Transaction, zone: ZoneEntity, point: HistoryPoint): Promise<JournalStep> {
    if ('number' in point) return point;
    const position =
      'serial' in point ? await this.ofSerial(tx, zone, point.serial) : await this.at(tx, zone, point.at);
    if (position !== null) return position;
    throw notKept(zone, 'serial' in point ? `the serial ${point.serial}` : 'that time');
  }

  /**
   * The same where every later step is kept, without which the state cannot be told.
   * @throws ServiceError `serial_not_found`
   */
  async findKept(tx: Transaction, zone: ZoneEntity, point: HistoryPoint): Promise<JournalStep> {
    const step = await this.find(tx, zone, point);
    if (step.number >= zone.version) return step;
    const first = await this.history.first(tx, zone.id);
    if (first !== undefined && first.number <= step.number + 1) return step;
    throw notKept(zone, `all steps since the serial ${step.serial}`);
  }

  /** Number of the last step before that time, 0 where none is kept. */
  async numberBefore(tx: Transaction, zoneId: string, instant: Instant): Promise<number> {
    const position = await this.lastOf(tx, zoneId, await this.latest(tx, zoneId), ({ at }) => at < instant);
    return position?.number ?? 0;
  }

  /** Serials are compared by their distance to the present one, so that they may have turned over since. */
  private async ofSerial(tx: Transaction, zone: ZoneEntity, serial: number): Promise<JournalPosition | null> {
    const distance = stepsBehind(serial, zone.serial);
    const isReached = (position: JournalPosition): boolean => stepsBehind(position.serial, zone.serial) >= distance;
    const position = await this.lastOf(tx, zone.id, presentOf(zone), isReached);
    return position?.serial === serial ? position : null;
  }

  private async at(tx: Transaction, zone: ZoneEntity, instant: Instant): Promise<JournalPosition | null> {
    if (zone.changedAt <= instant) return presentOf(zone);
    return this.lastOf(tx, zone.id, await this.latest(tx, zone.id), ({ at }) => at <= instant);
  }

  private latest(tx: Transaction, zoneId: string): Promise<JournalPosition | undefined> {
    return this.history.atOrBefore(tx, zoneId, Number.MAX_SAFE_INTEGER);
  }

  /**
   * The last of the steps of which the condition holds, `null` when it holds of none. It must hold of all steps before
   * one of which it holds; times of a clock that was set back break that, and then any of several steps is found.
   */
  private async lastOf(
    tx: Transaction,
    zoneId: string,
    latest: JournalPosition | undefined,
    holds: (position: JournalPosition) => boolean,
  ): Promise<JournalPosition | null> {
    if (latest === undefined || holds(latest)) return latest ?? null;
    let end = latest.number;
    let found: JournalPosition | null = null;
    // Most moments that are asked for lie a few steps back.
    for (let back = 1; found === null; back *= 2) {
      const number = latest.number - back;
      const position = (await this.history.atOrBefore(tx, zoneId, number)) ?? (await this.history.first(tx, zoneId));
      if (position === undefined) return null;
      if (holds(position)) found = position;
      else if (position.number > number) return null;
      else end = position.number;
    }
    while (end - found.number > 1) {
      const middle = await this.history.atOrBefore(tx, zoneId, Math.floor((found.number + end) / 2));
      if (middle === undefined || middle.number <= found.number) return found;
      if (holds(middle)) found = middle;
      else end = middle.number;
    }
    return found;
  }
}

/** The zone's own row is there also when nothing of its history is kept. */
function presentOf({ version, serial, changedAt }: ZoneEntity): JournalPosition {
  return { number: version, serial, at: changedAt };
}

/** `null` where the history that something needs is not kept any more. */
export async function unlessForgotten<T>(finding: Promise<T>): Promise<T | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'serial_not_found') return null;
    throw error;
  }
}

/** The refusal of what the journal does not have, or not any more. */
export function notKept({ name }: Pick<ZoneEntity, 'name'>, what: string): ServiceError {
  const message = `The history of ${name} does not have ${what}; its entries show which serials are kept.`;
  return ServiceError.because('serial_not_found', because('history_not_kept', { domain: name }), message);
}
