import type { Caller } from '../../common/caller.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import type { Judging, ChangeSession } from './state/change-session.js';
import type { ZoneState } from './state/zone-state.js';

export interface OperationRules extends Judging {
  readonly types: RecordTypes;
  readonly minTtl: number | null;
}

export interface OperationContext {
  readonly state: ZoneState;
  readonly steps: ChangeSession;
  readonly rules: OperationRules;
  readonly caller: Caller;
}
