import type { Caller } from '../../common/caller.js';
import type { Outcome } from '../../database/unit-of-work.js';
import type { ChangeCompanion } from '../../zones/changes/change-companion.js';
import type { DoneChange, RecordOperation } from './record-operation.js';
import type { StandingInZone } from './zone-guests.js';

/** A change that somebody asks for. */
export interface AskedChange {
  readonly zoneId: string;
  readonly caller: Caller;
  readonly operations: readonly RecordOperation[];
  readonly isDryRun: boolean;
  readonly companion: ChangeCompanion<DoneChange> | null;
  readonly isUnlimited: boolean;
  /** Is told how much of the disk it takes for good: `ZoneChange.weight`. */
  readonly weigh: (weight: number) => void;
}

/** A change on its way. */
export interface PendingChange {
  readonly asked: AskedChange;
  /** Known when it is loaded. */
  standing: StandingInZone;
  /** Known when it is judged, or before that where a plugin hangs. */
  outcome: Outcome<DoneChange> | null;
}

export function undecided(asked: AskedChange): PendingChange {
  return { asked, standing: { standing: 'none', ownSetIds: new Set() }, outcome: null };
}

/** In single operations. */
export function sizeOf(operation: RecordOperation): number {
  return 'ownerKey' in operation && 'contents' in operation ? 1 + (operation.contents?.length ?? 0) : 1;
}

/** Changes that name the same record go one round after the other: only then is it known what the later one touches. */
export function* roundsOf(changes: readonly PendingChange[]): Generator<readonly PendingChange[]> {
  let round: PendingChange[] = [];
  let named = new Set<string>();
  for (const change of changes) {
    const ids = change.asked.operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
    if (ids.some((id) => named.has(id))) {
      yield round;
      round = [];
      named = new Set();
    }
    round.push(change);
    for (const id of ids) named.add(id);
  }
  if (round.length > 0) yield round;
}
