import type { Caller } from '../../common/caller.js';
import type { Outcome } from '../../database/unit-of-work.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import type { ReverseStep } from '../../zones/changes/address-follower.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import type { LabeledSet, RecordSnapshot, ZoneSnapshot } from '../../plugins/change-listener.js';
import type { DeferredOperations, DoneOperation, RecordOperation } from './record-operation.js';
import type { ZoneAccess } from './share-grants.js';

export interface ChangeRequest {
  readonly zoneId: string;
  readonly caller: Caller;
  /** Empty for a plan. */
  readonly operations: readonly RecordOperation[];
  readonly plan: DeferredOperations | null;
  readonly isDryRun: boolean;
  readonly hook: ChangeHook<ChangeResult> | null;
  readonly isUnlimited: boolean;
  /** Reports the permanent disk use: `ZoneChange.weight`. */
  readonly weigh: (weight: number) => void;
}

export interface ChangeInProgress {
  readonly request: ChangeRequest;
  access: ZoneAccess;
  outcome: Outcome<ChangeResult> | null;
  /** Once it is judged. */
  change: ZoneChange | null;
  /** The weight of its reads. */
  read: number;
}

export interface ChangeResult {
  readonly serial: number;
  readonly formerSerial: number;
  readonly operations: readonly DoneOperation[];
  /** A grantee owns the sets that it created. */
  readonly isByGrantee: boolean;
  readonly dryRun: DryRunResult | null;
  /** Ids of the zones whose PTR records followed. */
  readonly alsoChanged?: readonly string[];
}

export interface DryRunResult {
  readonly differences: readonly { readonly before: RecordSnapshot | null; readonly after: RecordSnapshot | null }[];
  readonly labels: readonly { readonly before: LabeledSet; readonly after: LabeledSet }[];
  readonly recordCount: number;
  readonly recordSetCount: number;
  /** PTR records that would follow (behaviour 26.6); absent without any. */
  readonly reverse?: readonly ReverseStep[];
}

/** Sums up the steps of a dry run by record, and removes them from the change. */
export function dryRunResultOf(change: ZoneChange): DryRunResult {
  const labels: { readonly before: LabeledSet; readonly after: LabeledSet }[] = [];
  const net = new Map<string, DryRunResult['differences'][number]>();
  for (const entry of change.takeEntries()) {
    if (entry.recordId === null) {
      // A step without a record has zone snapshots.
      const [was, is] = [entry.step.of.before, entry.step.of.after] as (ZoneSnapshot | null)[];
      if (was?.recordSet && is?.recordSet) labels.push({ before: was.recordSet, after: is.recordSet });
      continue;
    }
    const { before, after } = entry.step.of as DryRunResult['differences'][number];
    const earlier = net.get(entry.recordId);
    net.set(entry.recordId, { before: earlier === undefined ? before : earlier.before, after });
  }
  return {
    differences: [...net.values()].filter(({ before, after }) => before !== null || after !== null),
    labels,
    recordCount: change.recordCount,
    recordSetCount: change.recordSetCount,
  };
}
