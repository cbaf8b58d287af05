import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DatabaseProbe } from '../database/database-probe.js';

/** How long a probe may take before the verdict of the one before it stands, in milliseconds. */
const PATIENCE = 500;

/**
 * Whether requests that need the database would be served. However many ask, one probe is under way at a time. One that
 * takes long says nothing yet: behind an import or another process's lock changes wait, and are not refused.
 */
@Injectable()
export class DatabaseReadiness {
  private readonly logger = new Logger('Zonewright');
  private underWay: Promise<boolean> | null = null;
  /** Nothing listens before the database was opened and its schema found up to date. */
  private verdict = true;

  constructor(private readonly probe: DatabaseProbe) {}

  isReady(): Promise<boolean> {
    this.underWay ??= this.ask();
    return Promise.race([this.underWay, delay(PATIENCE, undefined, { ref: false }).then(() => this.verdict)]);
  }

  private async ask(): Promise<boolean> {
    const fault = await this.faultOfDatabase();
    this.underWay = null;
    if (this.verdict !== (fault === null)) this.logger.warn(fault === null ? 'ready again' : `not ready: ${fault}`);
    this.verdict = fault === null;
    return this.verdict;
  }

  private async faultOfDatabase(): Promise<string | null> {
    try {
      await this.probe.assertReady();
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
}

/** What the database itself said, where a refusal stands for it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
