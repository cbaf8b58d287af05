import { words } from '../words/index.js';
import type { ErrorAnswer, FieldError } from './types.js';

/** The service has refused a request; all of it is in the words of the page, where it has any. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly fields: readonly FieldError[];

  /** @param answer in the words of the page: see `worded` */
  constructor(status: number, answer: ErrorAnswer) {
    super(answer.message);
    this.status = status;
    this.type = answer.type;
    this.fields = answer.errors ?? [];
  }
}

/** The session has ended; the request can be repeated after the next sign-in. */
export class SessionOver extends Error {
  constructor() {
    super(words.answers.sessionOver);
  }
}

/** The outcome of the request is unknown: the network failed, or the service could not accept it. */
export class NoAnswer extends Error {
  /** Seconds after which to try again. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter = 2) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/**
 * The zone differs from the state that the request assumed. With fields, the conflict concerns zone contents, as when
 * undoing a change.
 */
export const isConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.status === 412 && error.fields.length === 0;
/** The zone is not there, or not for this caller. */
export const isGone = (error: unknown): boolean => error instanceof Refusal && error.type === 'domain_not_found';
const isNotPermitted = (error: unknown): boolean => error instanceof Refusal && error.status === 401;
/** The refusal describes faults of the request, not a failure to check it. */
export const isVerdict = (error: unknown): error is Refusal =>
  error instanceof Refusal && !isConflict(error) && !isGone(error) && !isNotPermitted(error);
export const isSignedOut = (error: unknown): boolean => error instanceof SessionOver;
export const isUnanswered = (error: unknown): error is NoAnswer => error instanceof NoAnswer;
