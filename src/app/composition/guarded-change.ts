import { PluginUnavailable } from '../../common/plugin-unavailable.js';
import { BoundedCall, OverdueError } from '../../plugins/calls/bounded-call.js';
import type { ChangeLimits, ChangeOrigin } from '../../zones/changes/change-limits.js';
import type { Guard } from './guard.js';

type Weigh = (weight: number) => void;

/** A change that a plugin runs within its limits. Its time is the plugin's before and after the change, and ours meanwhile. */
export class GuardedChange<T> {
  private isGivenUp = false;
  private tellBegun: () => void = () => undefined;
  private changing: Promise<T> | null = null;

  constructor(
    private readonly filler: ChangeLimits,
    private readonly guard: Guard,
    private readonly by: { readonly tenantId: string; readonly origin: ChangeOrigin | undefined },
    private readonly change: (weigh: Weigh) => Promise<T>,
  ) {}

  /** @throws PluginUnavailable, and then the change is never made; what the plugin and the change throw */
  async run(): Promise<T> {
    const { part, limits } = this.guard;
    const { tenantId, origin } = this.by;
    const begun = new Promise<void>((resolve) => (this.tellBegun = resolve));
    let called: { readonly whole: Promise<T> };
    try {
      called = await part.call(limits.request, tenantId, async () => {
        const whole = this.filler.run(tenantId, (weigh) => this.begin(weigh), origin);
        await Promise.race([begun, whole]);
        return { whole };
      });
    } catch (error) {
      this.isGivenUp = true;
      throw error;
    }
    return this.finish(called.whole);
  }

  /** Called by the plugin. */
  private begin(weigh: Weigh): Promise<T> {
    if (this.isGivenUp) return Promise.reject(new PluginUnavailable('The change was given up before it began.'));
    const changing = this.change((weight) => this.guard.part.during(() => weigh(weight)));
    this.changing = changing;
    this.tellBegun();
    return changing;
  }

  /** What was changed is answered, even where the plugin does not come to an end behind it. */
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
