import type { Request } from 'express';
import type { Caller } from '../common/caller.js';

/** An Express request, with what our middleware and guards add to it. */
export interface ApiRequest extends Request {
  /** `req-<uuid>`, set before anything else looks at the request. */
  requestId: string;
  /** What is left of its rates, as `RateLimit` says it: `''` while there is nothing to tell, and absent where none holds for it. */
  rateLimit?: string;
  /** The client and the credential that its rates count it for, where they do. */
  countedClient?: string;
  countedToken?: string;
  /** Set by the guard on every route that needs a credential. */
  caller?: Caller;
}
