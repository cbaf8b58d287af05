import { MaxLength } from '../../http/bodies/class-validator.js';
import type { Caller } from '../../common/caller.js';
import { MAX_MESSAGE } from '../../common/field-limits.js';
import { ServiceError } from '../../common/service-error.js';
import { isText } from '../../common/text.js';
import { IsText } from '../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../http/openapi/decorators.js';

const DESCRIBED = {
  type: String,
  maxLength: MAX_MESSAGE,
  example: 'Move the web server',
  description: 'What the change is for, for the history.',
};

/** A message that may go with a change, as a parameter or in a body. */
export function IsChangeMessage(): PropertyDecorator {
  const decorators = [ApiPropertyOptional(DESCRIBED), MayBeAbsent(), MaxLength(MAX_MESSAGE), IsText()];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/**
 * The same of a body that is read by hand.
 * @throws ServiceError `invalid_object`
 */
export function readMessage(message: unknown): string | undefined {
  if (message === undefined) return undefined;
  if (!isText(message)) throw fault('type', 'a text is needed');
  if (message.length > MAX_MESSAGE) throw fault('maxLength', `at most ${MAX_MESSAGE} characters`);
  return message;
}

function fault(validator: 'type' | 'maxLength', problem: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'message', validator, `message: ${problem}.`);
}

/** The caller with what it says of its change. */
export function saying(message: string | undefined, caller: Caller): Caller {
  return message === undefined || message === '' ? caller : { ...caller, message };
}
