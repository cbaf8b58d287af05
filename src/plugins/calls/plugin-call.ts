import { Logger } from '@nestjs/common';
import { OverdueCall, PluginUnavailable } from '../../common/plugin-unavailable.js';
import { Counter } from '../../observability/counter.js';
import { BoundedCall, OverdueError } from './bounded-call.js';
import { during, markOf } from './call-mark.js';
import { CircuitBreaker } from './circuit-breaker.js';

const OVERDUE = new Counter({
  name: 'zonewright_plugin_calls_overdue_total',
  help: 'Calls into a plugin that have not ended within their time, by plugin and port.',
  labels: ['plugin', 'port'],
});
const REFUSED = new Counter({
  name: 'zonewright_plugin_calls_refused_total',
  help: 'Requests refused without asking a plugin that has not answered lately, by plugin and port.',
  labels: ['plugin', 'port'],
});

/** In milliseconds: the log says that it goes on. */
const SAID_AGAIN = 60_000;

/** A port that a plugin fills, or another part of it that requests wait for. */
export class PluginCall {
  private readonly logger = new Logger('Plugins');
  private readonly suspension = new CircuitBreaker();
  private readonly mark: number;
  private saidAt: number | null = null;

  /** @param part the name of the port */
  constructor(
    private readonly plugin: string,
    private readonly part: string,
  ) {
    this.mark = markOf(this.name);
    // Metrics show the series at 0 before anything has happened.
    OVERDUE.of(plugin, part);
    REFUSED.of(plugin, part);
  }

  get name(): string {
    return `${this.plugin}/${this.part}`;
  }

  /** Whether it has not answered somebody lately. */
  get isFailing(): boolean {
    return this.suspension.isAny(performance.now());
  }

  /**
   * @param limit in milliseconds
   * @param tenantId for whom, where that is known: others are asked for although this one is not answered
   * @throws PluginUnavailable when it has not ended in time, and for a while after that; what the plugin throws
   */
  async call<T>(limit: number, tenantId: string | null, work: () => T | Promise<T>): Promise<T> {
    const began = performance.now();
    const remaining = this.suspension.remaining(tenantId, began);
    if (remaining !== null) {
      REFUSED.of(this.plugin, this.part).add();
      throw new PluginUnavailable(this.refusal, inSeconds(remaining));
    }
    try {
      const result = await new BoundedCall(() => this.during(work)).run(limit);
      this.recordInTime(tenantId, began);
      return result;
    } catch (error) {
      if (error instanceof OverdueError)
        throw new OverdueCall(this.refusal, inSeconds(this.recordOverdue(tenantId, began, limit)));
      this.recordInTime(tenantId, began);
      throw error;
    }
  }

  /** Runs what the plugin does at once: nothing can end that, but the watchdog can name it. */
  during<T>(work: () => T): T {
    return during(this.mark, work);
  }

  /** @returns milliseconds for which the plugin is not asked for the tenant */
  recordOverdue(tenantId: string | null, began: number, limit: number): number {
    const now = performance.now();
    OVERDUE.of(this.plugin, this.part).add();
    const pause = this.suspension.recordOverdue(tenantId, began, now);
    if (this.saidAt === null || now - this.saidAt > SAID_AGAIN) {
      this.saidAt = now;
      const whom = tenantId === null ? '' : ` for the tenant ${JSON.stringify(tenantId)}`;
      this.logger.warn(
        `plugin ${this.plugin}: ${this.part} has not answered within ${limit / 1000} s${whom}; requests that need it are refused with` +
          ' 503. See what the plugin waits for, or take it out of [plugins] packages.',
      );
    }
    return pause;
  }

  private recordInTime(tenantId: string | null, began: number): void {
    this.suspension.recordInTime(tenantId, began);
    if (this.saidAt === null || this.isFailing) return;
    this.saidAt = null;
    this.logger.warn(`plugin ${this.plugin}: ${this.part} answers again`);
  }

  private get refusal(): string {
    return `An extension of this service (${this.name}) does not answer; try again later.`;
  }
}

function inSeconds(pause: number): number {
  return Math.max(1, Math.ceil(pause / 1000));
}
