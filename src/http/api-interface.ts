import type { IncomingHttpHeaders } from 'node:http';
import type { BodyRefusals } from './bodies/body-refusals.js';
import type { RefusalStyle } from './errors/error-table.js';
import type { RawResponse } from './raw-response.js';
import type { ApiRequest } from './request.js';
import type { RequestedPrivileges } from './requested-privileges.js';

/** What differs between the interfaces of the service for all of their operations. */
export interface ApiInterface {
  readonly refusals: RefusalStyle;
  readonly bodyRefusals: BodyRefusals;
  /**
   * Reads the headers, and parameters of the query, that every operation has.
   * @throws ServiceError `forbidden` where two of them contradict each other
   */
  parsePrivilegeHeaders(request: ApiRequest): RequestedPrivileges;
  /** Reads JSON and answers whatever `Content-Type` and `Accept` say: its clients set them at random. */
  readonly ignoresMediaTypes?: boolean;
  /** The longest body that it reads, in octets, where that is not the one of all interfaces. */
  readonly maxBodySize?: number;
  /** What it answers OPTIONS with at a path that has these methods; left out: it is a method like others. */
  readonly optionsOf?: (methods: readonly string[]) => RawResponse;
  /** The headers with the credential where all strategies look for it; left out: they are as they were sent. */
  readonly credentialsOf?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
}
