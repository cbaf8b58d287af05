import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnModuleDestroy, type DynamicModule, Module } from '@nestjs/common';
import { causeOf } from '../common/service-error.js';
import { showGauge } from '../observability/metrics.js';
import { BoundedCall } from '../plugins/calls/bounded-call.js';
import { during, markOf } from '../plugins/calls/watchdog-data.js';
import { PluginCalls } from '../plugins/calls/plugin-call.js';
import type { HealthCheck, NamedHealthCheck } from '../plugins/plugin.js';

export interface NamedCheck {
  readonly name: string;
  readonly check: HealthCheck;
  readonly isEssential: boolean;
}

/** By check name. */
export type Verdicts = Readonly<Record<string, Verdict>>;
export type Verdict = 'ok' | 'failing';

const FAILING = {
  name: 'zonewright_health_check_failing',
  help: 'Whether a health check of a plugin has failed when /readyz was asked for the last time: 1 or 0.',
};

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

  /** `isReady` if no essential check fails. */
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

/** A check that hangs is not called again; it fails until it returns. */
function withinTimeLimit({ name, check }: NamedCheck, timeLimit: number): () => Promise<void> {
  const mark = markOf(`the health check ${name}`);
  let asked: Promise<void> | null = null;
  return async () => {
    const ask = (signal: AbortSignal): Promise<void> =>
      during(mark, async () => check.assertHealthy(signal)).finally(() => (asked = null));
    await new BoundedCall((signal) => (asked ??= ask(signal))).run(timeLimit);
  };
}

@Module({})
export class HealthChecksModule {
  static register(named: readonly NamedHealthCheck[]): DynamicModule {
    const made = (calls: PluginCalls, ...checks: HealthCheck[]): HealthChecks =>
      new HealthChecks(
        checks.map((check, at) => {
          const { name = '', isEssential = false } = named[at] ?? {};
          return { name, check, isEssential };
        }),
        calls,
      );
    const classes = named.map(({ check }) => check);
    return {
      module: HealthChecksModule,
      global: true,
      providers: [...classes, { provide: HealthChecks, useFactory: made, inject: [PluginCalls, ...classes] }],
      exports: [HealthChecks],
    };
  }
}

/** In milliseconds: after that, the previous verdict counts. */
const TIME_LIMIT = 500;

/** Runs one check at a time for all callers. A slow check keeps the previous verdict. */
export class Probe {
  private inFlight: Promise<boolean> | null = null;
  private isWell = true;

  /** `assertWell` throws the problem. `tell` gets each new verdict: the problem or `null`. */
  constructor(
    private readonly assertWell: () => Promise<void>,
    private readonly tell: (problem: string | null) => void,
  ) {}

  /** True before the first check. */
  get lastVerdict(): boolean {
    return this.isWell;
  }

  async verdict(): Promise<boolean> {
    this.inFlight ??= this.run();
    const last = delay(TIME_LIMIT, undefined, { ref: false }).then(() => this.isWell);
    return Promise.race([this.inFlight, last]);
  }

  private async run(): Promise<boolean> {
    const problem = await this.problem();
    const isWell = problem === null;
    if (this.isWell !== isWell) this.tell(problem);
    this.isWell = isWell;
    this.inFlight = null;
    return isWell;
  }

  private async problem(): Promise<string | null> {
    try {
      await this.assertWell();
      return null;
    } catch (error) {
      return causeOf(error);
    }
  }
}
