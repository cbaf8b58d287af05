import type { RecordSnapshot } from '../../zones/journal/journal-format.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import type { DryRunResult } from './record-operation.js';

/** What a change has come to that is not to be stored; it takes the steps that the change has noted. */
export function dryRunResultOf(change: ZoneChange): DryRunResult {
  const net = new Map<string, DryRunResult['differences'][number]>();
  for (const entry of change.takeEntries()) {
    if (entry.recordId === null) continue;
    // A step of a record has snapshots of records.
    const { before, after } = entry.step.of as DryRunResult['differences'][number];
    const earlier = net.get(entry.recordId);
    net.set(entry.recordId, { before: earlier === undefined ? before : earlier.before, after });
  }
  return {
    differences: [...net.values()].filter(({ before, after }) => isOther(before, after)),
    recordCount: change.recordCount,
    recordSetCount: change.recordSetCount,
  };
}

/** Unless it came and went. */
function isOther(before: RecordSnapshot | null, after: RecordSnapshot | null): boolean {
  return before !== null || after !== null;
}
