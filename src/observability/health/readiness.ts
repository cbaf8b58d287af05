import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DatabaseProbe } from '../../database/database-probe.js';
import { Standbys } from '../../database/standbys/standbys.js';
import { HealthChecks, type Verdicts } from './health-checks.js';
import { Probe } from './probe.js';

/** Whether requests would be served, and what plugins say of themselves. */
export interface State {
  readonly isReady: boolean;
  readonly checks: Verdicts;
  /** How many standbys are read, in words; `null` where there are none. */
  readonly standbys: string | null;
}

/**
 * Not ready while the service stops, while the database refuses reads or changes, and while a check fails that its plugin
 * cannot do without. A probe that takes long says nothing yet: behind an import or another process's lock changes wait, and
 * are not refused.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Zonewright');
  private isStopping = false;
  /** Nothing listens before the database was opened and its schema found up to date. */
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
