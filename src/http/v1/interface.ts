import { type ApiInterface, invalidBody, type RequestedPrivileges } from '../api-interface.js';
import { V1_REFUSALS } from './errors.js';
import type { ApiRequest } from '../request.js';
import type { NextFunction, Request, Response } from 'express';

export const VERSION_1: ApiInterface = {
  refusals: V1_REFUSALS,
  bodyRefusals: { empty: invalidBody, notJson: invalidBody, notObject: invalidBody },
  parsePrivilegeHeaders,
};

const TRUE = /^(true|1|yes|on)$/i;

/** Behaviour 3.2: version 1 has two of the headers. */
function parsePrivilegeHeaders(request: ApiRequest): RequestedPrivileges {
  return {
    sudoTenant: request.header('X-Auth-Sudo-Tenant-ID') ?? null,
    allTenants: TRUE.test(request.header('X-Auth-All-Projects') ?? ''),
    editsManaged: false,
    deletesHard: false,
    deletesShares: false,
  };
}

/** Version 1 was deprecated on 2015-04-30; date format of RFC 9745 §2.1. */
const DEPRECATED_SINCE = '@1430352000';
const V1_PATH = /^\/(v1|domains)(\/|$)/i;

/** Marks all answers of version 1 as deprecated, also errors (behaviour 1.2). */
export function markDeprecated(request: Request, response: Response, next: NextFunction): void {
  if (V1_PATH.test(request.path)) response.setHeader('Deprecation', DEPRECATED_SINCE);
  next();
}
