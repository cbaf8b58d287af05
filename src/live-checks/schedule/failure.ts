import type { LiveCheck } from '../live-check.service.js';
import type { LiveFinding, LiveKind } from '../live-finding.js';

/** Which errors made a zone fail, and whether that check was complete. */
interface Failure {
  readonly isComplete: boolean;
  readonly errors: readonly Place[];
}

type Place = Pick<LiveFinding, 'name' | 'type'>;

const MOST_ERRORS = 100;
const UNKNOWN: ReadonlySet<LiveKind> = new Set(['parent_unknown', 'server_unknown', 'target_unknown']);
/** The same servers are asked for both. */
const DELEGATION: ReadonlySet<string> = new Set(['NS', 'DS']);

/** A check that cannot tell whether the errors are still there keeps the failure (behaviour 27.14). */
export function failureAfter({ isComplete, findings }: LiveCheck, former: string | null): string | null {
  const errors = findings.filter(({ severity }) => severity === 'error').slice(0, MOST_ERRORS);
  if (errors.length > 0) return JSON.stringify({ isComplete, errors: errors.map(placeOf) } satisfies Failure);
  if (former === null) return null;
  // Only this function writes the column.
  const failure = JSON.parse(former) as Failure;
  if (failure.isComplete && !isComplete) return former;
  const unknown = findings.filter(({ kind }) => UNKNOWN.has(kind));
  return failure.errors.some((error) => unknown.some((finding) => hides(finding, error))) ? former : null;
}

function placeOf({ name, type }: Place): Place {
  return { name, type };
}

function hides(unknown: Place, error: Place): boolean {
  const isOfDelegation = DELEGATION.has(unknown.type) && DELEGATION.has(error.type);
  return unknown.name === error.name && (unknown.type === error.type || isOfDelegation);
}
