import { ServiceError } from '../../common/service-error.js';

/** What the core says of records, in the words of the set that they are in. */
export function inWordsOfRecordSets(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'duplicate_record')
    return ServiceError.ofField('duplicate_record_set', 'records', 'enum', error.message);
  if (!error.errors.some(({ path }) => OF_RECORDS.has(path))) return error;
  const errors = error.errors.map((one) => (OF_RECORDS.has(one.path) ? { ...one, path: 'records' } : one));
  return error.withErrors(errors);
}

const OF_RECORDS = new Set(['data', 'priority']);
