import { ServiceError } from '../common/service-error.js';
import type { ApiRequest } from '../http/request.js';

/** Refused when repeated: a proxy may have checked another of the values than the one that Node gives us. */
const SINGLE_HEADERS = [
  'authorization',
  'x-auth-token',
  'x-api-key',
  'x-auth-project-id',
  'x-auth-sudo-tenant-id',
  'x-auth-sudo-project-id',
  'x-auth-all-projects',
  'x-roles',
];

/** @throws ServiceError `access_denied` */
export function assertNoRepeatedHeader({ headersDistinct }: ApiRequest): void {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw accessDenied(`Send the header ${repeated} once.`);
}

export function accessDenied(message: string): ServiceError {
  return new ServiceError('access_denied', message);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}
