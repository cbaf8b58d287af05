import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { HistoryRepository, type JournalPosition } from './history.repository.js';

/** Finds the journal step that led to the state at a moment. */
@Injectable()
export class HistoryPoints {
  constructor(private readonly history: HistoryRepository) {}

  /** @throws ServiceError `serial_not_found` if the journal does not have the serial */
  async find(tx: Transaction, zone: ZoneEntity, point: HistoryPoint): Promise<JournalStep> {
    if ('number' in point) return point;
    const position =
      'serial' in point ? await this.ofSerial(tx, zone, point.serial) : await this.at(tx, zone, point.at);
    if (position !== null) return position;
    throw notKept(zone, 'serial' in point ? `the serial ${point.serial}` : 'that time');
  }

  /** Also requires all later steps in the journal, to reconstruct the state. */
  async findKept(tx: Transaction, zone: ZoneEntity, point: HistoryPoint): Promise<JournalStep> {
    const step = await this.find(tx, zone, point);
    if (step.number >= zone.version) return step;
    const first = await this.history.first(tx, zone.id);
    if (first !== undefined && first.number <= step.number + 1) return step;
    throw notKept(zone, `all steps since the serial ${step.serial}`);
  }

  /** Last step before that time; 0 if not stored. */
  async numberBefore(tx: Transaction, zoneId: string, instant: Instant): Promise<number> {
    const position = await this.lastOf(tx, zoneId, await this.latest(tx, zoneId), ({ at }) => at < instant);
    return position?.number ?? 0;
  }

  /** Compares serials by their distance to the current one, because serials may have wrapped around since. */
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
   * The last step that matches the condition, or `null`. All steps before a match must match, too.
   * After a clock was set back they may not. The result is then any of several steps.
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
    // Most requested moments lie a few steps back.
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

/** Comes from the zone row, so it exists without any history. */
function presentOf({ version, serial, changedAt }: ZoneEntity): JournalPosition {
  return { number: version, serial, at: changedAt };
}

/** `null` if the required history was removed. */
export async function unlessForgotten<T>(finding: Promise<T>): Promise<T | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'serial_not_found') return null;
    throw error;
  }
}

export function notKept({ name }: Pick<ZoneEntity, 'name'>, what: string): ServiceError {
  const message = `The history of ${name} does not have ${what}; its entries show which serials are kept.`;
  return ServiceError.because('serial_not_found', because('history_not_kept', { domain: name }), message);
}

/** A serial, a time, or a known step. */
export type HistoryPoint = { readonly serial: number } | { readonly at: Instant } | JournalStep;

/** A journal step and the zone serial after it. */
export interface JournalStep {
  readonly number: number;
  readonly serial: number;
}

const MODULUS = 2 ** 32;

/** Distance of a serial to a later one, across wrap-around (RFC 1982 §3). */
function stepsBehind(serial: number, later: number): number {
  return (later - serial + MODULUS) % MODULUS;
}
