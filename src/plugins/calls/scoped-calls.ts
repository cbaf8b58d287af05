import { PluginUnavailable } from '../../common/plugin-unavailable.js';
import type { Transaction } from '../../database/transaction.js';
import type { PluginCall } from './plugin-call.js';
import { scopeTransaction } from './plugin-calls.js';

/** Calls of a plugin inside one change. The change may be begun again; what was overdue is not waited for again then. */
export class ScopedCalls {
  private overdue: PluginUnavailable | null = null;

  /**
   * @param limit of each, in milliseconds
   * @param tenantId whose change it is, where that is known
   */
  constructor(
    private readonly part: PluginCall,
    private readonly limit: number,
    private readonly tenantId: string | null,
  ) {}

  /** What refuses the change once a call was overdue. */
  get refusal(): PluginUnavailable | null {
    return this.overdue;
  }

  /** @throws PluginUnavailable when it has not ended in time, now or before; what `work` throws */
  async run<T>(tx: Transaction, work: (scoped: Transaction) => Promise<T>): Promise<T> {
    if (this.overdue !== null) throw this.overdue;
    try {
      return await scopeTransaction(tx, (scoped) => this.part.call(this.limit, this.tenantId, () => work(scoped)));
    } catch (error) {
      if (error instanceof PluginUnavailable) this.overdue = error;
      throw error;
    }
  }
}
