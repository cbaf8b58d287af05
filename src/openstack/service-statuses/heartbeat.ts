import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { Clock } from '../../common/clock.js';
import { ServiceStatusRepository } from './service-status.repository.js';

const INTERVAL_MS = 10_000;
/** Of instants. */
const INTERVAL = INTERVAL_MS * 1000;
/** So many beats may be missing. */
const MISSED_BEATS = 3;

/**
 * What the original has a service each for: to answer requests, to decide, to do what the time asks for; to be asked by name
 * servers, and to see to them.
 */
export const API_SERVICES = ['api', 'central', 'producer'] as const;
export const NAME_SERVER_SERVICES = ['mdns', 'worker'] as const;

/** Says every ten seconds that this process lives, and which of the others have not said so for thirty. */
@Injectable()
export class Heartbeat {
  private services: readonly string[] = [];
  private latest = -Infinity;

  constructor(
    private readonly statuses: ServiceStatusRepository,
    private readonly clock: Clock,
    private readonly background: Scheduler,
  ) {}

  /**
   * Begins after the first ten seconds: a start has other things to do.
   * @param services what this process does, in the order of the alphabet
   */
  start(services: readonly string[]): void {
    this.services = services;
    // A database that cannot be written to is somebody else's to report; the table says since when.
    this.background.add({ name: 'service-statuses.heartbeat', every: INTERVAL_MS, run: () => this.beat() });
  }

  /** Makes sure that the table is no older than an interval, for whoever is about to read it. */
  async refresh(): Promise<void> {
    if (this.clock.now() - this.latest >= INTERVAL) await this.beat().catch(() => undefined);
  }

  private beat(): Promise<void> {
    const now = this.clock.now();
    this.latest = now;
    return this.statuses.note(this.services, hostname(), { now, downBefore: now - MISSED_BEATS * INTERVAL });
  }
}
