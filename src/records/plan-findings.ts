import { Readable } from 'node:stream';
import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';
import type { DryRunResult } from './changes/change-request.js';

export interface FindingContent {
  readonly message: string;
  readonly kind: FindingKind;
  /** The value that the kind is about (behaviour 15.12), such as the target without an address. */
  readonly text?: string;
}

/** A problem of the changed zone for name servers or users. */
export interface PlanFinding extends FindingContent {
  readonly severity: 'error' | 'warning';
  readonly name: string;
  readonly type: string;
  /** The line of an imported file. */
  readonly line?: number;
}

/** In the order of behaviour 15.12. */
export const FINDING_KINDS = [
  'no_address',
  'alias_target',
  'missing_glue',
  'optional_glue',
  'below_delegation',
  'missing_type',
  'not_a_host_name',
  'too_many_records',
  'too_many_types',
  'missing_dot',
  'unspaced_spf',
  'missing_alpn',
  'missing_dohpath',
  'alias_parameters',
  'unsupported_algorithm',
  'unsupported_digest',
  'unreadable_record',
  'other_name_server',
  'alias_without_addresses',
  'reverse_differs',
  'expiring_signatures',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** Port that reports problems of a stored zone that its records do not show (behaviour 15.7). */
export abstract class StateFindings {
  abstract of(tx: Transaction, zoneId: string): AsyncIterable<PlanFinding>;
}

export class NoStateFindings extends StateFindings {
  override of(): AsyncIterable<PlanFinding> {
    return Readable.from([]);
  }
}

/** Port that checks the zone of a dry run (behaviour 9.6). */
export abstract class PlanFindings {
  /**
   * Problems that only exist with the change; `null` if not checked.
   * @throws ServiceError `unavailable`
   */
  abstract of(zoneId: string, caller: Caller, tried: DryRunResult): Promise<readonly PlanFinding[] | null>;
}
