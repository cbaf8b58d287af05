import type { ApiRequest } from '../request.js';
import type { RequestedPrivileges } from '../requested-privileges.js';

const TRUE = /^(true|1|yes|on)$/i;

/** Version 1 has two of the headers (behaviour 3.2). */
export function parsePrivilegeHeaders(request: ApiRequest): RequestedPrivileges {
  return {
    sudoTenant: request.header('X-Auth-Sudo-Tenant-ID') ?? null,
    allTenants: TRUE.test(request.header('X-Auth-All-Projects') ?? ''),
    editsManaged: false,
    deletesHard: false,
    deletesShares: false,
  };
}
