import type { ApiInterface, RequestedPrivileges } from '../api-interface.js';
import { HttpError } from '../errors/http-error.js';
import { V2_REFUSALS } from './errors.js';
import { ServiceError } from '../../common/service-error.js';
import type { ApiRequest } from '../request.js';

export const VERSION_2: ApiInterface = {
  refusals: V2_REFUSALS,
  bodyRefusals: {
    empty: (message) => new HttpError('empty_request_body', message),
    notJson: (message) => new HttpError('invalid_json', message),
    notObject: (message) => new HttpError('bad_request', message),
  },
  parsePrivilegeHeaders,
};

const V2_PATH = /^\/v2(?:\/|$)/i;

export function isVersion2(path: string): boolean {
  return V2_PATH.test(path);
}

const TRUE = /^\s*(?:true|1|yes|on|t|y)\s*$/i;

/** Whether a header or parameter means yes. Version 2 clients use several forms; any other text means no. */
export function saysYes(text: string | undefined): boolean {
  return text !== undefined && TRUE.test(text);
}

/** Version 2 has more headers than version 1, and equivalent query parameters. */
function parsePrivilegeHeaders(request: ApiRequest): RequestedPrivileges {
  // Express parses it at each access.
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

/** @throws ServiceError `forbidden` if the two headers name different projects */
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
