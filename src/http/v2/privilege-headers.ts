import { ServiceError } from '../../common/service-error.js';
import type { ApiRequest } from '../request.js';
import type { RequestedPrivileges } from '../requested-privileges.js';
import { saysYes } from './truth.js';

/** Version 2 has more headers than version 1, and parameters of the query that say the same. */
export function parsePrivilegeHeaders(request: ApiRequest): RequestedPrivileges {
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
    throw new ServiceError(
      'forbidden',
      'X-Auth-Sudo-Project-ID and X-Auth-Sudo-Tenant-ID name two projects; send one of them.',
    );
  return project ?? tenant ?? null;
}

function valuesOf(query: ApiRequest['query'], parameter: string): string[] {
  return [query[parameter]].flat().filter((value) => typeof value === 'string');
}
