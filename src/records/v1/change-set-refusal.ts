import { type FieldError, ServiceError } from '../../common/service-error.js';
import { type ErrorTable, RefusalInWords } from '../../http/errors/error-table.js';
import { V1_ERRORS } from '../../http/v1/errors.js';
import { decidingFault, OperationsRefused } from '../changes/operation-list.js';
import type { RecordOperation } from '../changes/record-operation.js';

/** Refusal of one change set entry. Error paths start in the entry. */
export interface EntryFault {
  readonly index: number;
  readonly error: ServiceError;
}

/** Builds the refusal of a change set: the error of the first faulty entry, with the fields of all (behaviour 9.4). */
export function refusalOfEntries(faults: readonly EntryFault[]): ServiceError {
  const first = decidingFault(faults);
  if (first === undefined) throw new Error('a change set was refused without a reason');
  const { index, error } = first;
  const count = faults.length === 1 ? '' : `${faults.length} entries are refused, `;
  const message = `${count}changes[${index}]: ${wordsOf(error)}`;
  return new RefusalInWords(error.code, message, faults.flatMap(errorsOf), null, error.firstFacts);
}

function wordsOf({ code, message }: ServiceError): string {
  const table: ErrorTable = V1_ERRORS;
  return table[code]?.message ?? message;
}

/** Per entry; more would only lengthen the response. */
const MAX_ERRORS_OF_ENTRY = 16;

function errorsOf({ index, error }: EntryFault): FieldError[] {
  const entry = `changes[${index}]`;
  if (error.errors.length === 0)
    return [{ path: entry, validator: 'enum', message: wordsOf(error), facts: error.facts }];
  return error.errors.slice(0, MAX_ERRORS_OF_ENTRY).map(({ path, validator, message, facts }) => ({
    path: path === '' ? entry : `${entry}.${path}`,
    validator,
    facts,
    message: message === error.message ? wordsOf(error) : message,
  }));
}

/** Translates a refusal of operations into the terms of the change set. */
export function inWordsOfChangeSet(error: unknown, operations: readonly RecordOperation[]): unknown {
  if (!(error instanceof OperationsRefused)) return error;
  return refusalOfEntries(
    error.faults.map(({ index, error: why }) => ({ index, error: inEntry(operations[index], why) })),
  );
}

function inEntry(operation: RecordOperation | undefined, error: ServiceError): ServiceError {
  if (operation === undefined) return error;
  if (error.code === 'record_not_found')
    return ServiceError.ofField(error.code, 'id', 'enum', error.message, error.facts);
  const errors = error.errors.map((one) => ({ ...one, path: pathInEntry(operation, one.path) }));
  return error.withErrors(errors);
}

function pathInEntry({ action }: RecordOperation, path: string): string {
  if (path === '') return '';
  if (action === 'delete') return 'id';
  if (action === 'label set') return path;
  if (action === 'replace') return path === 'name' || path === 'type' ? path : 'records';
  return `record.${path}`;
}
