import { MaxLength } from '../../http/bodies/class-validator.js';
import type { Caller } from '../../common/caller.js';
import { MAX_MESSAGE } from '../../common/field-limits.js';
import { ServiceError } from '../../common/service-error.js';
import { isText } from '../../common/json.js';
import { IsText, MayBeAbsent } from '../../http/bodies/field-decorators.js';
import { ApiPropertyOptional } from '../../http/openapi/decorators.js';

const DESCRIBED = {
  type: String,
  maxLength: MAX_MESSAGE,
  example: 'Move the web server',
  description: 'What the change is for, for the history.',
};

export function IsChangeMessage(): PropertyDecorator {
  const decorators = [ApiPropertyOptional(DESCRIBED), MayBeAbsent(), MaxLength(MAX_MESSAGE), IsText()];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** Reads the message of a body without a DTO. @throws ServiceError `invalid_object` */
export function readMessage(message: unknown): string | undefined {
  if (message === undefined) return undefined;
  if (!isText(message)) throw fault('type', 'a text is needed');
  if (message.length > MAX_MESSAGE) throw fault('maxLength', `at most ${MAX_MESSAGE} characters`);
  return message;
}

function fault(validator: 'type' | 'maxLength', problem: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'message', validator, `message: ${problem}.`);
}

export function saying(message: string | undefined, caller: Caller): Caller {
  return message === undefined || message === '' ? caller : { ...caller, message };
}
