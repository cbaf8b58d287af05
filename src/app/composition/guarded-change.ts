import type { Caller } from '../../common/caller.js';
import { PluginUnavailable } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { BoundedCall, OverdueError } from '../../plugins/calls/bounded-call.js';
import type { PluginCall, CallLimits, PluginCalls } from '../../plugins/calls/plugin-call.js';
import { ScopedCalls } from '../../plugins/calls/plugin-transactions.js';
import { type ChangeHook, HookGuard } from '../../zones/changes/change-hook.js';
import type { ChangeLimits, ChangeOrigin } from '../../zones/changes/change-limits.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

export interface Guard {
  readonly part: PluginCall;
  readonly limits: CallLimits;
}

type Weigh = (weight: number) => void;

/** Applies the deadline to the plugin before and after its change. */
export class GuardedChange<T> {
  private isGivenUp = false;
  private tellBegun: () => void = () => undefined;
  private changing: Promise<T> | null = null;

  constructor(
    private readonly runWithinLimits: ChangeLimits['run'],
    private readonly guard: Guard,
    private readonly by: { readonly tenantId: string; readonly origin: ChangeOrigin | undefined },
    private readonly change: (weigh: Weigh) => Promise<T>,
  ) {}

  /** @throws PluginUnavailable if the change never started */
  async run(): Promise<T> {
    const { part, limits } = this.guard;
    const { tenantId, origin } = this.by;
    const begun = new Promise<void>((resolve) => (this.tellBegun = resolve));
    let called: { readonly whole: Promise<T> };
    try {
      called = await part.call(limits.request, tenantId, async () => {
        const whole = this.runWithinLimits(tenantId, (weigh) => this.begin(weigh), origin);
        await Promise.race([begun, whole]);
        return { whole };
      });
    } catch (error) {
      this.isGivenUp = true;
      throw error;
    }
    return this.finish(called.whole);
  }

  private begin(weigh: Weigh): Promise<T> {
    if (this.isGivenUp) return Promise.reject(new PluginUnavailable('The change was given up before it began.'));
    const changing = this.change((weight) => this.guard.part.during(() => weigh(weight)));
    this.changing = changing;
    this.tellBegun();
    return changing;
  }

  /** A committed change is answered, even if the plugin hangs after it. */
  private async finish(whole: Promise<T>): Promise<T> {
    const { part, limits } = this.guard;
    await this.changing?.catch(() => undefined);
    const began = performance.now();
    try {
      return await new BoundedCall(() => whole).run(limits.request);
    } catch (error) {
      if (!(error instanceof OverdueError) || this.changing === null) throw error;
      part.recordOverdue(this.by.tenantId, began, limits.request);
      whole.catch(() => undefined);
      return this.changing;
    }
  }
}

/** Behaviour 16.7. */
export class PluginHookGuard extends HookGuard {
  constructor(private readonly calls: PluginCalls) {
    super();
  }

  override around<Result>(hook: ChangeHook<Result>, { tenantId }: Caller): ChangeHook<Result> {
    if (hook.isOurs === true) return hook;
    const part = this.calls.partOfCaller('ChangeHook');
    return new GuardedHook(hook, part, new ScopedCalls(part, this.calls.limits.change, tenantId));
  }
}

class GuardedHook<Result> implements ChangeHook<Result> {
  constructor(
    private readonly hook: ChangeHook<Result>,
    private readonly part: PluginCall,
    private readonly calls: ScopedCalls,
  ) {}

  async load(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const { hook } = this;
    if (hook.load !== undefined) await this.calls.run(tx, async (scoped) => hook.load?.(scoped, zone));
  }

  admit(zone: Readonly<ZoneEntity>): void {
    this.part.during(() => this.hook.admit?.(zone));
  }

  async write(tx: Transaction, outcome: Outcome<Result>): Promise<void> {
    const { hook } = this;
    if (hook.write === undefined || this.isRefusalOfItsOwn(outcome)) return;
    await this.calls.run(tx, async (scoped) => hook.write?.(scoped, outcome));
  }

  /** Its own refusal is no outcome to store. */
  private isRefusalOfItsOwn(outcome: Outcome<Result>): boolean {
    return 'error' in outcome && outcome.error instanceof PluginUnavailable && outcome.error === this.calls.refusal;
  }
}
