import { Authenticator } from '../authenticator.js';

/** A way to authenticate that can stand beside others: it tells by the form of a token whether to judge it. */
export abstract class Strategy extends Authenticator {
  /** Whether tokens of this strategy look like this one. It says nothing of whether the token is valid. */
  abstract recognises(token: string): boolean;
}
