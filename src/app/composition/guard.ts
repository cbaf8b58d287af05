import type { CalledPart } from '../../plugins/calls/called-part.js';
import type { CallLimits } from '../../plugins/calls/plugin-calls.js';

/** What is called, and how long it may take. */
export interface Guard {
  readonly part: CalledPart;
  readonly limits: CallLimits;
}
