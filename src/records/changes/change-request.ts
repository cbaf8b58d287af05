import type { Caller } from '../../common/caller.js';
import type { Outcome } from '../../database/unit-of-work.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import type { DeferredOperations } from './deferred-operations.js';
import type { ChangeResult, RecordOperation } from './record-operation.js';
import type { ZoneAccess } from './share-grants.js';

/** A change that somebody asks for. */
export interface ChangeRequest {
  readonly zoneId: string;
  readonly caller: Caller;
  /** Of a plan none are known before. */
  readonly operations: readonly RecordOperation[];
  readonly plan: DeferredOperations | null;
  readonly isDryRun: boolean;
  readonly hook: ChangeHook<ChangeResult> | null;
  readonly isUnlimited: boolean;
  /** Is told how much of the disk it takes for good: `ZoneChange.weight`. */
  readonly weigh: (weight: number) => void;
}

/** A change on its way. */
export interface ChangeInProgress {
  readonly request: ChangeRequest;
  /** Known when it is loaded. */
  access: ZoneAccess;
  /** Known when it is judged, or before that where a plugin hangs. */
  outcome: Outcome<ChangeResult> | null;
}
