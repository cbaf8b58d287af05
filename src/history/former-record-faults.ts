import type { Instant } from '../common/clock.js';
import { MOST_ERRORS, ServiceError } from '../common/service-error.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { OperationsRefused } from '../records/changes/operation-list.js';
import type { OperationFault } from '../records/changes/state/change-session.js';
import { readRecordContent, type RecordContent } from '../records/record-content.js';
import type { FormerRecord } from './former-contents.js';

/** A record that today's types take. */
export interface ReadableRecord extends FormerRecord {
  readonly content: RecordContent;
}

/** Records of a deleted zone that today's rules refuse. */
export class FormerRecordFaults {
  private readonly faults: OperationFault[] = [];

  get areMany(): boolean {
    return this.faults.length > MOST_ERRORS;
  }

  /** Notes those that no type takes any more, and leaves out those that were to expire by now. */
  readable(records: readonly FormerRecord[], types: RecordTypes, now: Instant): ReadableRecord[] {
    return records.flatMap((former) => {
      const { expiresAt = null } = former.record;
      if (expiresAt !== null && expiresAt <= now) return [];
      try {
        return [{ ...former, content: readRecordContent(types, former.record) }];
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        this.add(former, error);
        return [];
      }
    });
  }

  add({ index, record: { name, type } }: FormerRecord, error: ServiceError): void {
    const named = (message: string): string => `${name} ${type}: ${message}`;
    const errors = error.errors.map((one) => ({ ...one, message: named(one.message) }));
    this.faults.push({ index, error: new ServiceError(error.code, named(error.message), errors, null, error.facts) });
  }

  /** @throws OperationsRefused with the indexes of the records */
  assertNone(): void {
    if (this.faults.length > 0) throw new OperationsRefused(this.faults);
  }
}
