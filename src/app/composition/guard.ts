import type { PluginCall } from '../../plugins/calls/plugin-call.js';
import type { CallLimits } from '../../plugins/calls/plugin-calls.js';

/** What is called, and how long it may take. */
export interface Guard {
  readonly part: PluginCall;
  readonly limits: CallLimits;
}
