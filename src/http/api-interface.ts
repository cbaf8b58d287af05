import type { IncomingHttpHeaders } from 'node:http';
import type { RefusalStyle } from './errors/error-table.js';
import type { RawResponse } from './custom-responses.js';
import type { ApiRequest } from './request.js';
import { ServiceError } from '../common/service-error.js';

export interface ApiInterface {
  readonly refusals: RefusalStyle;
  readonly bodyRefusals: BodyRefusals;
  /** For all operations. @throws ServiceError `forbidden` if two headers or parameters contradict each other */
  parsePrivilegeHeaders(request: ApiRequest): RequestedPrivileges;
  /** Ignores `Content-Type` and `Accept`, which its clients set at random. */
  readonly ignoresMediaTypes?: boolean;
  /** Octets; overrides the limit of all interfaces. */
  readonly maxBodySize?: number;
  /** Answers OPTIONS for a path with these methods. If absent, OPTIONS is an ordinary method. */
  readonly optionsOf?: (methods: readonly string[]) => RawResponse;
  /** Moves the credential to the headers that all strategies read. If absent, the headers remain unchanged. */
  readonly credentialsOf?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
}

/** Requested privileges, not yet authorized. */
export interface RequestedPrivileges {
  readonly sudoTenant: string | null;
  readonly allTenants: boolean;
  readonly editsManaged: boolean;
  readonly deletesHard: boolean;
  readonly deletesShares: boolean;
}

/** For interfaces without privilege headers. */
export const NO_PRIVILEGES: RequestedPrivileges = {
  sudoTenant: null,
  allTenants: false,
  editsManaged: false,
  deletesHard: false,
  deletesShares: false,
};

/** Errors for a body that is not a JSON object. Each function takes the message. */
export interface BodyRefusals {
  /** For no octets, or `null`. */
  readonly empty: (message: string) => Error;
  readonly notJson: (message: string) => Error;
  readonly notObject: (message: string) => Error;
}

export function invalidBody(message: string): ServiceError {
  return ServiceError.ofField('invalid_object', '', 'type', message);
}
