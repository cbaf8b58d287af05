import { ServiceError } from '../common/service-error.js';
import type { ApiRequest } from '../http/request.js';
import { isVersion2 } from '../http/v2/paths.js';
import { saysYes } from '../http/v2/truth.js';

/** What a request asks for beside its operation, before it is known whether it may. */
export interface Wishes {
  /** The tenant to act for, as it was sent. */
  readonly sudoTenant: string | null;
  readonly allTenants: boolean;
  readonly editsManaged: boolean;
  readonly deletesHard: boolean;
  readonly deletesShares: boolean;
}

const TRUE = /^(true|1|yes|on)$/i;

/** Refused when repeated: a proxy may have checked another of the values than the one that Node gives us. */
const SINGLE_HEADERS = [
  'authorization',
  'x-auth-token',
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

/** Version 1 has two of the headers (behaviour 3.2); version 2 has others, and parameters of the query that say the same. */
export function wishesOf(request: ApiRequest): Wishes {
  return isVersion2(request.path) ? wishesOfVersion2(request) : wishesOfVersion1(request);
}

function wishesOfVersion1(request: ApiRequest): Wishes {
  return {
    sudoTenant: request.header('X-Auth-Sudo-Tenant-ID') ?? null,
    allTenants: TRUE.test(request.header('X-Auth-All-Projects') ?? ''),
    editsManaged: false,
    deletesHard: false,
    deletesShares: false,
  };
}

function wishesOfVersion2(request: ApiRequest): Wishes {
  // Express reads it anew each time.
  const { query } = request;
  const says = (header: string): boolean => saysYes(request.header(header));
  const asks = (parameter: string): boolean => valuesOf(query, parameter).some(saysYes);
  return {
    sudoTenant: sudoProjectOf(request),
    allTenants: says('X-Auth-All-Projects') || asks('all_projects') || asks('all_tenants'),
    editsManaged: says('X-Designate-Edit-Managed-Records') || asks('edit_managed_records'),
    deletesHard: says('X-Designate-Hard-Delete'),
    deletesShares: says('X-Designate-Delete-Shares'),
  };
}

/** @throws ServiceError `forbidden` where the two names of the header name two projects */
function sudoProjectOf(request: ApiRequest): string | null {
  const project = request.header('X-Auth-Sudo-Project-ID');
  const tenant = request.header('X-Auth-Sudo-Tenant-ID');
  if (project !== undefined && tenant !== undefined && project !== tenant)
    throw forbidden('X-Auth-Sudo-Project-ID and X-Auth-Sudo-Tenant-ID name two projects; send one of them.');
  return project ?? tenant ?? null;
}

function valuesOf(query: ApiRequest['query'], parameter: string): string[] {
  return [query[parameter]].flat().filter((value) => typeof value === 'string');
}

export function accessDenied(message: string): ServiceError {
  return new ServiceError('access_denied', message);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}
