import { ServiceError } from './service-error.js';

/**
 * What a field of a request means.
 * @param fault what `read` throws of a text that means nothing
 * @param label what the message calls the field, where that is not its path
 * @throws ServiceError `invalid_object` for the field
 */
export function readField<T>(
  path: string,
  fault: abstract new (...parameters: never[]) => Error,
  read: () => T,
  label = path,
): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof fault)) throw error;
    throw ServiceError.ofField('invalid_object', path, 'format', `${label}: ${error.message}.`);
  }
}
