import { HttpStatus } from '@nestjs/common';
import { type ApiInterface, NO_PRIVILEGES } from '../http/api-interface.js';
import { JSON_TYPE } from '../http/bodies/media-types.js';
import type { ErrorTable, ErrorTableEntry, Refusal } from '../http/errors/error-table.js';
import { HttpError } from '../http/errors/http-error.js';
import { RawResponse } from '../http/custom-responses.js';
import { unprocessable } from './input.js';

const PATH = /^\/api(?:\/|$)/i;

export function isPowerDns(path: string): boolean {
  return PATH.test(path);
}

const { UNPROCESSABLE_ENTITY, NOT_FOUND, CONFLICT, UNAUTHORIZED, FORBIDDEN } = HttpStatus;

/** All other codes are 422, the only status that clients expect for invalid input. */
const TABLE: ErrorTable = {
  access_denied: { status: UNAUTHORIZED, type: 'access_denied' },
  forbidden: { status: FORBIDDEN, type: 'forbidden' },
  zone_not_found: { status: NOT_FOUND, type: 'zone_not_found' },
  duplicate_zone: { status: CONFLICT, type: 'duplicate_zone' },
  file_too_large: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'payload_too_large' },
  rate_limited: { status: HttpStatus.TOO_MANY_REQUESTS, type: 'rate_limited' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, type: 'unavailable' },
};
const OTHERS: ErrorTableEntry = { status: UNPROCESSABLE_ENTITY, type: 'unprocessable' };

/** Error texts that PowerDNS clients and tests compare. */
const WORDS: Readonly<Record<number, string>> = {
  [UNAUTHORIZED]: 'Unauthorized',
  [NOT_FOUND]: 'Not Found',
  [HttpStatus.METHOD_NOT_ALLOWED]: 'Method Not Allowed',
  [CONFLICT]: 'Conflict',
};

function bodyOf({ status, message }: Refusal): object {
  return { error: WORDS[status] ?? message };
}

const notJson = (message: string): HttpError => new HttpError('bad_request', message);

/** The order of PowerDNS, whose tests compare the text. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Omits the CORS header that would let foreign pages read responses. */
function optionsOf(methods: readonly string[]): RawResponse {
  const allowed = [...METHODS.filter((method) => methods.includes(method)), 'OPTIONS'].join(', ');
  return new RawResponse(HttpStatus.OK, JSON_TYPE, '', {
    Allow: allowed,
    'Access-Control-Allow-Headers': 'Content-Type, X-API-Key',
    'Access-Control-Allow-Methods': allowed,
  });
}

export function powerDnsInterface({ maxBodySize }: { readonly maxBodySize: number }): ApiInterface {
  return {
    refusals: { table: TABLE, others: OTHERS, bodyOf, contentType: JSON_TYPE },
    bodyRefusals: { empty: notJson, notJson, notObject: unprocessable },
    ignoresMediaTypes: true,
    optionsOf,
    maxBodySize,
    parsePrivilegeHeaders: () => NO_PRIVILEGES,
    // Ignore passwords for a proxy, and cookies, which browsers send for any page.
    credentialsOf: ({ authorization: _, cookie: __, ...headers }) => ({
      ...headers,
      'x-auth-token': headers['x-api-key'],
    }),
  };
}
