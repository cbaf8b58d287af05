import { STATUS_CODES } from 'node:http';
import { JSON_TYPE } from '../bodies/media-types.js';
import { ApiResponse } from './decorators.js';
import { RATE_LIMIT, RETRY_AFTER } from './headers.js';

export interface DescribedError {
  readonly status: number;
  readonly type: string;
  readonly message?: string;
}

export interface ErrorDescription {
  readonly schema: string;
  readonly bodyOf: (error: Required<DescribedError>) => object;
}

/**
 * Errors are JSON even if the operation `@ApiProduces` another type. Problem details are omitted, so that generated
 * clients have one error type.
 */
export function describeErrors(errors: readonly DescribedError[], { schema, bodyOf }: ErrorDescription) {
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return statuses.map((status) => {
    const ofStatus = new Map(errors.filter((error) => error.status === status).map((error) => [error.type, error]));
    const examples = Object.fromEntries(
      [...ofStatus.values()].map((error) => [error.type, { value: bodyOf({ message: messageOf(error), ...error }) }]),
    );
    return ApiResponse({
      status,
      description: [...ofStatus.keys()].map((type) => `\`${type}\``).join(', '),
      content: { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${schema}` }, examples } },
      ...headersOf(status, ofStatus),
    });
  });
}

function headersOf(status: number, types: ReadonlyMap<string, unknown>) {
  if (status === 429) return { headers: { ...RETRY_AFTER, ...RATE_LIMIT } };
  return status === 503 || types.has('request_in_progress') ? { headers: RETRY_AFTER } : {};
}

const MESSAGES: Readonly<Record<string, string>> = {
  access_denied: 'This needs a credential: send a token in X-Auth-Token.',
  forbidden: 'This operation needs the role admin.',
  invalid_object: 'ttl must not be less than 1.',
  invalid_ttl: 'The lowest ttl here is 60 seconds.',
  unsupported_accept: 'The answer is application/json: let the Accept header include it.',
  unsupported_content_type: 'Send the body as application/json in UTF-8 with that Content-Type.',
  rate_limited: 'This address has sent too many requests in a minute; try again later.',
  over_quota: 'The quota zones of 10 is reached; 10 are in use.',
  unknown: 'The service could not carry out the request; its log has the cause under the request id.',
  unavailable: 'The service cannot take the request at the moment; try again later.',
};

const MESSAGES_OF_STATUS: Readonly<Record<number, string>> = {
  404: 'There is nothing with this id here; list what there is.',
  409: 'It exists already.',
  413: 'The body is too large.',
};

function messageOf({ status, type, message }: DescribedError): string {
  return message ?? MESSAGES[type] ?? MESSAGES_OF_STATUS[status] ?? `${STATUS_CODES[status] ?? 'Refused'}.`;
}
