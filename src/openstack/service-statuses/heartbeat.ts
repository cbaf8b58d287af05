import { hostname } from 'node:os';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
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
export class Heartbeat implements OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private services: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private latest = -Infinity;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly statuses: ServiceStatusRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins after the first ten seconds: a start has other things to do.
   * @param services what this process does, in the order of the alphabet
   */
  start(services: readonly string[]): void {
    this.services = services;
    this.timer = setInterval(() => void this.beat(), INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
  }

  /** Makes sure that the table is no older than an interval, for whoever is about to read it. */
  async refresh(): Promise<void> {
    if (this.clock.now() - this.latest >= INTERVAL) await this.beat();
  }

  private beat(): Promise<void> {
    const now = this.clock.now();
    this.latest = now;
    const beat = this.statuses.note(this.services, hostname(), { now, downBefore: now - MISSED_BEATS * INTERVAL });
    // A database that cannot be written to is somebody else's to report; the table says since when.
    this.beating = beat.catch((error: unknown) => this.logger.debug(`no heartbeat: ${String(error)}`));
    return this.beating;
  }
}
