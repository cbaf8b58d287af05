import { STATUS_CODES } from 'node:http';
import type { FieldError } from '../../common/service-error.js';
import type { Refusal, RefusalStyle } from '../errors/error-table.js';
import { V2_ERRORS } from './errors.js';

/** How version 2 refuses: `errors` is an object with a list, and each `path` a list of names and indexes. */
export const V2_REFUSALS: RefusalStyle = { table: V2_ERRORS, bodyOf };

function bodyOf({ status, type, message, errors }: Refusal, requestId: string): object {
  return {
    code: status,
    type,
    message,
    ...(errors.length > 0 ? { errors: { errors: errors.map(fieldOf) } } : {}),
    request_id: requestId,
    // Of a 401, keystoneauth reads what the middleware of the original service answers.
    ...(status === 401 ? { error: { code: status, title: STATUS_CODES[status], message } } : {}),
  };
}

function fieldOf({ path, message, validator }: FieldError): object {
  return { path: stepsOf(path), message, validator };
}

const STEP = /\[(?<index>\d+)\]|(?<name>[^.[]+|\[)/g;

/** `records[0]` is `['records', 0]`, and the whole object, `''`, is `[]`. */
function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(STEP)].map(({ groups }) =>
    groups?.index === undefined ? (groups?.name ?? '') : Number(groups.index),
  );
}
