import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { showGauge } from '../gauge.js';
import { BoundedCall } from '../../plugins/calls/bounded-call.js';
import { during, markOf } from '../../plugins/calls/call-mark.js';
import type { PluginCalls } from '../../plugins/calls/plugin-calls.js';
import type { HealthCheck } from '../../plugins/health-check.js';
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

const FAILING = {
  name: 'zonewright_health_check_failing',
  help: 'Whether a health check of a plugin has failed when /readyz was asked for the last time: 1 or 0.',
};

/** The health checks of all plugins. */
export class HealthChecks implements OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private readonly probes: readonly { readonly name: string; readonly isEssential: boolean; readonly probe: Probe }[];
  private readonly hide: () => void;

  constructor(checks: readonly NamedCheck[], { limits }: PluginCalls) {
    this.probes = checks.map((named) => {
      const { name, isEssential } = named;
      const tell = (problem: string | null) =>
        this.logger.warn(problem === null ? `health check ${name}: ok again` : `health check ${name}: ${problem}`);
      return { name, isEssential, probe: new Probe(withinTimeLimit(named, limits.request), tell) };
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
function withinTimeLimit({ name, check }: NamedCheck, timeLimit: number): () => Promise<void> {
  const mark = markOf(`the health check ${name}`);
  let asked: Promise<void> | null = null;
  return async () => {
    const ask = (signal: AbortSignal): Promise<void> =>
      during(mark, async () => check.assertHealthy(signal)).finally(() => (asked = null));
    await new BoundedCall((signal) => (asked ??= ask(signal))).run(timeLimit);
  };
}
