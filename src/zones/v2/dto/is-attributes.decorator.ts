import { ValidateBy } from '../../../http/bodies/class-validator.js';
import { isText } from '../../../common/text.js';

/** In characters. */
const LONGEST_KEY = 50;
const LONGEST_VALUE = 255;

/** What a client may send: numbers and truth values are kept as texts. */
export type SentAttributes = Readonly<Record<string, string | number | boolean>>;

/** Checks that a field is an object of short texts. */
export function IsAttributes(): PropertyDecorator {
  return ValidateBy({
    name: 'isAttributes',
    validator: {
      validate: isAttributes,
      defaultMessage: () =>
        `attributes is an object of texts, with keys of at most ${LONGEST_KEY} characters and values of at most ${LONGEST_VALUE}`,
    },
  });
}

/** As they are kept. */
export function toAttributes(sent: SentAttributes): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, String(value)]));
}

function isAttributes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, one]) => isText(key) && key.length <= LONGEST_KEY && isAttribute(one));
}

function isAttribute(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return isText(value) && value.length <= LONGEST_VALUE;
}
