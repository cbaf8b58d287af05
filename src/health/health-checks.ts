import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { showGauge } from '../measurements/gauge.js';
import type { HealthCheck } from '../plugins/health-check.js';
import { Probe } from './probe.js';

/** A health check that has been made. */
export interface NamedCheck {
  readonly name: string;
  readonly check: HealthCheck;
  readonly isEssential: boolean;
}

/** By the names of the checks. */
export type Verdicts = Readonly<Record<string, Verdict>>;
export type Verdict = 'ok' | 'failing';

/** How long a check may take, in milliseconds. */
const TIME_LIMIT = 10_000;

const FAILING = {
  name: 'zonewright_health_check_failing',
  help: 'Whether a health check of a plugin has failed when /readyz was asked for the last time: 1 or 0.',
};

/** The health checks of all plugins. */
export class HealthChecks implements OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private readonly probes: readonly { readonly name: string; readonly isEssential: boolean; readonly probe: Probe }[];
  private readonly hide: () => void;

  constructor(checks: readonly NamedCheck[]) {
    this.probes = checks.map(({ name, check, isEssential }) => {
      const tell = (problem: string | null) =>
        this.logger.warn(problem === null ? `health check ${name}: ok again` : `health check ${name}: ${problem}`);
      return { name, isEssential, probe: new Probe(withinTimeLimit(check), tell) };
    });
    this.hide = showGauge(
      FAILING,
      () => this.probes.map(({ name, probe }) => ({ labels: { check: name }, value: probe.lastVerdict ? 0 : 1 })),
      'max',
    );
  }

  /** @returns whether none fails that is essential, and what each says */
  async ask(): Promise<{ readonly isReady: boolean; readonly checks: Verdicts }> {
    const asked = await Promise.all(
      this.probes.map(async ({ name, isEssential, probe }) => ({ name, isEssential, isOk: await probe.verdict() })),
    );
    return {
      isReady: asked.every(({ isEssential, isOk }) => isOk || !isEssential),
      checks: Object.fromEntries(asked.map(({ name, isOk }) => [name, isOk ? 'ok' : 'failing'])),
    };
  }

  onModuleDestroy(): void {
    this.hide();
  }
}

/** One that never answers is not asked a second time: it fails until it does. */
function withinTimeLimit(check: HealthCheck): () => Promise<void> {
  let asked: Promise<void> | null = null;
  return async () => {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    asked ??= ask(check, signal).finally(() => (asked = null));
    await Promise.race([asked, silence(signal)]);
  };
}

/** A check may throw before it has made a promise. */
async function ask(check: HealthCheck, signal: AbortSignal): Promise<void> {
  await check.assertHealthy(signal);
}

function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const tell = () => reject(new Error(`no answer within ${TIME_LIMIT / 1000} seconds`));
    signal.addEventListener('abort', tell, { once: true });
  });
}
