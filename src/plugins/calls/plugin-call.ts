import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { OverdueCall, PluginUnavailable } from '../../common/service-error.js';
import { Counter } from '../../observability/metrics.js';
import { BoundedCall, OverdueError } from './bounded-call.js';
import { during, markOf } from './watchdog-data.js';
import type { Transaction } from '../../database/transaction.js';
import { showFailing } from '../../observability/failing.js';

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

/** Interval of log messages about a continuing failure, in milliseconds. */
const SAID_AGAIN = 60_000;

/** Calls a port, or another part that requests wait for. */
export class PluginCall {
  private readonly logger = new Logger('Plugins');
  private readonly suspension = new CircuitBreaker();
  private readonly mark: number;
  private saidAt: number | null = null;

  constructor(
    private readonly plugin: string,
    private readonly part: string,
  ) {
    this.mark = markOf(this.name);
    // Metrics show 0 from the start.
    OVERDUE.of(plugin, part);
    REFUSED.of(plugin, part);
  }

  get name(): string {
    return `${this.plugin}/${this.part}`;
  }

  get isFailing(): boolean {
    return this.suspension.isAny(performance.now());
  }

  /**
   * @param limit in milliseconds
   * @param tenantId pauses concern this tenant only
   * @throws PluginUnavailable if overdue, and for a while after that
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

  /** Cannot be aborted, but the watchdog can name the plugin. */
  during<T>(work: () => T): T {
    return during(this.mark, work);
  }

  /** Returns the pause in milliseconds. */
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

/** In milliseconds; doubles with each overdue call. */
const SHORTEST = 10_000;
const LONGEST = 60_000;
/** If this number of tenants get no answer, the plugin is down for all. */
const SIGN_OF_SILENCE = 3;
/** In milliseconds. Ended pauses are still shown. */
const REMEMBERED = 60_000;
/** For calls without a tenant. */
const NO_TENANT = '';

interface Pause {
  readonly since: number;
  length: number;
  until: number;
}

/** Pauses calls of a plugin for one tenant, or for all if none gets answers. Then one call probes it. */
export class CircuitBreaker {
  private readonly pauses = new Map<string, Pause>();
  private forAll: Pause | null = null;
  /** Overdue since the last call that ended in time; calls without a tenant count one by one. */
  private readonly unanswered = new Set<string | symbol>();
  private lastInTimeBegan = -Infinity;
  private lastOverdueAt = -Infinity;

  /** In milliseconds; `null`: call now. */
  remaining(tenantId: string | null, now: number): number | null {
    const own = this.pauses.get(tenantId ?? NO_TENANT);
    const longest = Math.max(this.forAll?.until ?? 0, own?.until ?? 0);
    if (longest > now) return longest - now;
    // This call is the probe.
    for (const pause of [own, this.forAll]) if (pause !== undefined && pause !== null) pause.until = now + pause.length;
    return null;
  }

  /** Returns the pause in milliseconds. */
  recordOverdue(tenantId: string | null, began: number, now: number): number {
    this.forget(now);
    this.lastOverdueAt = now;
    const key = tenantId ?? NO_TENANT;
    // Without a tenant, one overdue call says nothing about the next.
    const own = this.pauses.get(key);
    // Concurrent hanging calls count once.
    if (tenantId !== null && began >= (own?.since ?? -Infinity)) this.pauses.set(key, longer(own, now));
    if (began > this.lastInTimeBegan) this.unanswered.add(tenantId ?? Symbol());
    if (this.unanswered.size >= SIGN_OF_SILENCE) this.forAll = longer(this.forAll ?? undefined, now);
    return Math.max(0, (this.pauses.get(key)?.until ?? 0) - now, (this.forAll?.until ?? 0) - now);
  }

  recordInTime(tenantId: string | null, began: number): void {
    this.lastInTimeBegan = Math.max(this.lastInTimeBegan, began);
    this.unanswered.clear();
    this.forAll = null;
    if (this.pauses.size > 0) this.pauses.delete(tenantId ?? NO_TENANT);
  }

  isAny(now: number): boolean {
    this.forget(now);
    const isLately = now - this.lastOverdueAt < LONGEST + REMEMBERED;
    return isLately && (this.unanswered.size > 0 || this.forAll !== null || this.pauses.size > 0);
  }

  private forget(now: number): void {
    for (const [key, { until }] of this.pauses) if (now > until + REMEMBERED) this.pauses.delete(key);
  }
}

function longer(pause: Pause | undefined, now: number): Pause {
  const length = pause === undefined ? SHORTEST : Math.min(LONGEST, 2 * pause.length);
  return { since: now, length, until: now + length };
}

/** In milliseconds. */
export interface CallLimits {
  /** While other changes wait. */
  readonly change: number;
  /** While one request waits. */
  readonly request: number;
  /** While no request waits. */
  readonly background: number;
}

export class PluginCalls implements OnModuleDestroy {
  private readonly parts = new Map<string, PluginCall>();
  private readonly hide: () => void;

  constructor(
    readonly limits: CallLimits,
    private readonly callingPlugin: () => string,
  ) {
    this.hide = showFailing('failing_plugins', () =>
      [...this.parts.values()].filter(({ isFailing }) => isFailing).map(({ name }) => name),
    );
  }

  /** @param name the port or other part */
  partOf(plugin: string, name: string): PluginCall {
    const key = `${plugin}/${name}`;
    const known = this.parts.get(key);
    if (known !== undefined) return known;
    const part = new PluginCall(plugin, name);
    this.parts.set(key, part);
    return part;
  }

  partOfCaller(name: string): PluginCall {
    return this.partOf(this.callingPlugin(), name);
  }

  onModuleDestroy(): void {
    this.hide();
  }
}

/**
 * Lends a transaction to a plugin. Code that hangs and continues later finds it closed, since its connection serves
 * others by then.
 * @param call ends the loan when it resolves
 */
export async function scopeTransaction<T>(tx: Transaction, call: (scoped: Transaction) => Promise<T>): Promise<T> {
  const scoped = tx.lend();
  try {
    return await call(scoped);
  } finally {
    scoped.end();
  }
}
