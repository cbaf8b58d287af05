import type { Caller } from '../../common/caller.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import type { Judging, ChangeSession } from './state/change-session.js';
import type { ZoneState } from './state/zone-state.js';

/** The options by which operations are read and judged. */
export interface OperationRules extends Judging {
  /** The types that the service takes. */
  readonly types: RecordTypes;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}

/** What an operation is carried out with. */
export interface OperationContext {
  readonly state: ZoneState;
  readonly steps: ChangeSession;
  readonly rules: OperationRules;
  readonly caller: Caller;
}
