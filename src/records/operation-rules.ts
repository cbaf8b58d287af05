import type { RecordTypes } from '../dns/rdata/index.js';
import type { Judging } from './state-change.js';

/** What operations are understood and judged by. */
export interface OperationRules extends Judging {
  /** The types that the service takes. */
  readonly types: RecordTypes;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}
