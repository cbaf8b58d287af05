import { ServiceError } from '../../common/service-error.js';

/** How an interface refuses a body that is not a JSON object. Each is given the message. */
export interface BodyRefusals {
  /** Of no octets, or `null`. */
  readonly empty: (message: string) => Error;
  readonly notJson: (message: string) => Error;
  readonly notObject: (message: string) => Error;
}

/** The refusal of a body as a whole. */
export function invalidBody(message: string): ServiceError {
  return ServiceError.ofField('invalid_object', '', 'type', message);
}
