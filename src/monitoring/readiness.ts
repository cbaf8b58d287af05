import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DatabaseProbe } from '../database/database-probe.js';
import { Standbys } from '../database/standbys/standbys.js';
import { HealthChecks, Probe, type Verdicts } from './health-checks.js';

export interface State {
  readonly isReady: boolean;
  readonly checks: Verdicts;
  /** Number of standbys in use, as text; `null` without standbys. */
  readonly standbys: string | null;
}

/**
 * Not ready while stopping, while the database fails, and while an essential check fails. A slow probe keeps its
 * verdict, because changes may only wait for a lock.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Zonewright');
  private isStopping = false;
  /** Ready at first, because the service listens only after the schema check. */
  private readonly probe: Probe;

  constructor(
    database: DatabaseProbe,
    private readonly healthChecks: HealthChecks,
    private readonly standbys: Standbys,
  ) {
    this.probe = new Probe(
      () => database.assertReady(),
      (problem) => this.logger.warn(problem === null ? 'ready again' : `not ready: ${problem}`),
    );
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  async state(): Promise<State> {
    const standbys = this.standbys.summary;
    if (this.isStopping) return { isReady: false, checks: {}, standbys };
    const [isDatabaseReady, { isReady, checks }] = await Promise.all([this.probe.verdict(), this.healthChecks.ask()]);
    return { isReady: isDatabaseReady && isReady, checks, standbys };
  }
}
