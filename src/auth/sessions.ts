import type { IncomingHttpHeaders } from 'node:http';
import type { ApiRequest } from '../http/request.js';

/** The port behind credentials that the service keeps for a web page. Where nobody fills it, there are none. */
export abstract class Sessions {
  /**
   * The headers that the page would send if it knew the credential of its session; `null` for a request without a session,
   * or whose session does not count.
   * @throws ServiceError `access_denied` where the request may have been forged
   */
  abstract headersOf(request: ApiRequest): Promise<IncomingHttpHeaders | null>;
}
