import type { Caller } from '../../common/caller.js';
import { PluginUnavailable } from '../../common/plugin-unavailable.js';
import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { ScopedCalls } from '../../plugins/calls/scoped-calls.js';
import type { PluginCall } from '../../plugins/calls/plugin-call.js';
import type { PluginCalls } from '../../plugins/calls/plugin-calls.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import { HookGuard } from '../../zones/changes/hook-guard.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** Waits for hooks of plugins no longer than for what else a change asks of them (behaviour 16.7). */
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

  /** There is nothing to be stored beside a change that is refused because of this very hook. */
  private isRefusalOfItsOwn(outcome: Outcome<Result>): boolean {
    return 'error' in outcome && outcome.error instanceof PluginUnavailable && outcome.error === this.calls.refusal;
  }
}
