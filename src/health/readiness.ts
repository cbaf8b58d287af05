import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DatabaseProbe } from '../database/database-probe.js';

/** A probe that takes longer, in milliseconds, is not waited for: the result of the one before it counts. */
const PROBE_TIMEOUT_MS = 500;

/**
 * Whether requests would be served: not while the service stops, nor while the database refuses reads or changes.
 * However many ask, one probe of the database is in flight at a time. One that takes long says nothing yet: behind an
 * import or another process's lock changes wait, and are not refused.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Zonewright');
  private isStopping = false;
  private probeInFlight: Promise<boolean> | null = null;
  /** The last probe's result. Nothing listens before the database was opened and its schema found up to date. */
  private isDatabaseReady = true;

  constructor(private readonly database: DatabaseProbe) {}

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async isReady(): Promise<boolean> {
    if (this.isStopping) return false;
    this.probeInFlight ??= this.probe();
    const lastResult = delay(PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => this.isDatabaseReady);
    return Promise.race([this.probeInFlight, lastResult]);
  }

  private async probe(): Promise<boolean> {
    const error = await this.errorOfDatabase();
    const isReady = error === null;
    if (this.isDatabaseReady !== isReady) this.logger.warn(isReady ? 'ready again' : `not ready: ${error}`);
    this.isDatabaseReady = isReady;
    this.probeInFlight = null;
    return isReady;
  }

  private async errorOfDatabase(): Promise<string | null> {
    try {
      await this.database.assertReady();
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
}

/** The database's own message, where a refusal of ours has it as its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
