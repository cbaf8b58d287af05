import type { Caller } from '../../common/caller.js';
import { PluginUnavailable } from '../../common/plugin-unavailable.js';
import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { LentCalls } from '../../plugins/calls/lent-calls.js';
import type { CalledPart } from '../../plugins/calls/called-part.js';
import type { PluginCalls } from '../../plugins/calls/plugin-calls.js';
import type { ChangeCompanion } from '../../zones/changes/change-companion.js';
import { CompanionGuard } from '../../zones/changes/companion-guard.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** Waits for companions of plugins no longer than for what else a change asks of them (behaviour 16.7). */
export class PluginCompanionGuard extends CompanionGuard {
  constructor(private readonly calls: PluginCalls) {
    super();
  }

  override around<Result>(companion: ChangeCompanion<Result>, { tenantId }: Caller): ChangeCompanion<Result> {
    if (companion.isOurs === true) return companion;
    const part = this.calls.partOfCaller('ChangeCompanion');
    return new GuardedCompanion(companion, part, new LentCalls(part, this.calls.limits.change, tenantId));
  }
}

class GuardedCompanion<Result> implements ChangeCompanion<Result> {
  constructor(
    private readonly companion: ChangeCompanion<Result>,
    private readonly part: CalledPart,
    private readonly calls: LentCalls,
  ) {}

  async load(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const { companion } = this;
    if (companion.load !== undefined) await this.calls.run(tx, async (lent) => companion.load?.(lent, zone));
  }

  admit(zone: Readonly<ZoneEntity>): void {
    this.part.during(() => this.companion.admit?.(zone));
  }

  async write(tx: Transaction, outcome: Outcome<Result>): Promise<void> {
    const { companion } = this;
    if (companion.write === undefined || this.isRefusalOfItsOwn(outcome)) return;
    await this.calls.run(tx, async (lent) => companion.write?.(lent, outcome));
  }

  /** There is nothing to be stored beside a change that is refused because of this very companion. */
  private isRefusalOfItsOwn(outcome: Outcome<Result>): boolean {
    return 'error' in outcome && outcome.error instanceof PluginUnavailable && outcome.error === this.calls.refusal;
  }
}
