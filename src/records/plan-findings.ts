import type { Caller } from '../common/caller.js';
import type { DryRunResult } from './changes/record-operation.js';

/** What a change would make of a zone that a name server, or its users, would stumble over. */
export interface PlanFinding {
  readonly severity: 'error' | 'warning';
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

/** The port through which whoever checks zones says what is wrong with a change that is only tried (behaviour 9.6). */
export abstract class PlanFindings {
  /**
   * What would be found with the change and is not found without it; `null` where it is not looked for.
   * @throws ServiceError `unavailable`
   */
  abstract of(zoneId: string, caller: Caller, tried: DryRunResult): Promise<readonly PlanFinding[] | null>;
}
