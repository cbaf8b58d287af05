import { ServiceError } from '../common/service-error.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { OperationsRefused } from '../records/operation-list.js';
import { readRecordContent } from '../records/record-content.js';
import type { RecordOperation } from '../records/record-operation.js';
import type { OperationFault } from '../records/state-change.js';
import type { RecordDifference } from './record-differences.js';

/**
 * What makes records what they were (behaviour 11.3): one operation for each difference from now to then. A record that
 * was deleted comes back under its id.
 * @param types those that the service takes today
 * @throws OperationsRefused for records that could not be made any more
 */
export function operationsOf(differences: readonly RecordDifference[], types: RecordTypes): RecordOperation[] {
  const faults: OperationFault[] = [];
  const operations = differences.flatMap((difference, index) => {
    try {
      return [operationOf(difference, types)];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ index, error });
      return [];
    }
  });
  if (faults.length > 0) throw new OperationsRefused(faults);
  return operations;
}

function operationOf(difference: RecordDifference, types: RecordTypes): RecordOperation {
  const { action, before, after, latestVersion } = difference;
  switch (action) {
    case 'create': {
      const { id, createdAt } = after;
      return { action, content: readRecordContent(types, after), former: { id, createdAt, version: latestVersion } };
    }
    case 'update': {
      const { name, data, priority, ttl, description } = after;
      return { action, id: before.id, fields: { name, data, priority, ttl, description } };
    }
    case 'delete':
      return { action, id: before.id };
  }
}
