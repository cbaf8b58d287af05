import { sentenceOf, wordedFields } from './refusal-sentences.js';
import type { ErrorAnswer, FieldError } from './types.js';

/** The service has refused a request; all of it is in the words of the page, where it has any. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly fields: readonly FieldError[];

  constructor(status: number, answer: ErrorAnswer) {
    super(sentenceOf(answer));
    this.status = status;
    this.type = answer.type;
    this.fields = wordedFields(answer);
  }
}

/** Nobody knows whether the request was carried out: the network failed, or the service could not take it. */
export class NoAnswer extends Error {
  /** Seconds after which to try again. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter = 2) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The zone is not as the request took it to be. With fields the refusal is about what is in the zone, as when a change is undone. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.status === 412 && error.fields.length === 0;
/** The zone is not there, or not for this caller. */
export const isGone = (error: unknown): boolean => error instanceof Refusal && error.type === 'domain_not_found';
const isNotPermitted = (error: unknown): boolean => error instanceof Refusal && error.status === 401;
/** The refusal says what is wrong with what was sent, and not that nothing of it could be looked at. */
export const isVerdict = (error: unknown): error is Refusal =>
  error instanceof Refusal && !isConflict(error) && !isGone(error) && !isNotPermitted(error);
export const isUnanswered = (error: unknown): error is NoAnswer => error instanceof NoAnswer;
