import { HttpStatus } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiInterface, invalidBody, NO_PRIVILEGES } from '../http/api-interface.js';
import { errorBody, type ErrorTable, SHARED_ERRORS } from '../http/errors/error-table.js';

/** external-dns compares the whole value of `Content-Type`. */
export const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';

const PATH = /^\/external-dns(?:\/|$)/i;

export function isExternalDns(path: string): boolean {
  return PATH.test(path);
}

const { FORBIDDEN, NOT_FOUND, SERVICE_UNAVAILABLE } = HttpStatus;

/** external-dns tries again after 5xx, and ends after other errors (behaviour 25.2). */
const TABLE: ErrorTable = {
  ...SHARED_ERRORS,
  zone_not_found: { status: NOT_FOUND, type: 'zone_not_found' },
  forbidden: { status: FORBIDDEN, type: 'forbidden' },
  rate_limited: { status: SERVICE_UNAVAILABLE, type: 'rate_limited' },
  precondition_failed: { status: SERVICE_UNAVAILABLE, type: 'precondition_failed' },
};

export function externalDnsInterface({ maxBodySize }: { readonly maxBodySize: number }): ApiInterface {
  return {
    refusals: { table: TABLE, bodyOf: errorBody },
    bodyRefusals: { empty: invalidBody, notJson: invalidBody, notObject: invalidBody },
    maxBodySize,
    parsePrivilegeHeaders: () => NO_PRIVILEGES,
    credentialsOf,
  };
}

/** Go sends the user information of a URL as Basic authentication. Browsers send cookies for any page. */
function credentialsOf({ cookie: _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return headers;
  const { authorization: __, ...others } = headers;
  const userAndPassword = Buffer.from(encoded, 'base64').toString('utf8');
  return { ...others, 'x-auth-token': userAndPassword.slice(userAndPassword.indexOf(':') + 1) };
}

const BASIC = /^Basic +([\w+/-]+=*) *$/i;
