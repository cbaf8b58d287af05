import { ServiceError } from '../../common/service-error.js';

/** How many errors of a file are listed one by one. */
const TOLD = 5;

/** The message of a failed task. */
export function messageForPeople(error: unknown, requestId: string): string {
  if (!(error instanceof ServiceError))
    return `The service failed unexpectedly. Tell the operator the request id ${requestId}.`;
  const { message, errors } = error;
  const faults = errors
    .filter((fault) => fault.message !== message)
    .slice(0, TOLD)
    .map((fault) => `${fault.path}: ${fault.message}`);
  return [message, ...faults, ...(errors.length > TOLD ? ['…'] : [])].join(' ');
}
