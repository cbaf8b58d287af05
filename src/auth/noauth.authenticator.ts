import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Authenticator, type Identity } from './authenticator.js';
import { readRoles } from './roles.js';
import { readTenantId } from './tenant-id.js';

const DEFAULT_TENANT = 'noauth-project';
const DEFAULT_ROLES = 'admin';

/** Takes tenant and roles from the headers without any proof (behaviour 3.5), for trials on one machine and for tests. */
@Injectable()
export class NoauthAuthenticator extends Authenticator {
  override identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const tenantId = readTenantId(headerOf(headers, 'x-auth-project-id') ?? DEFAULT_TENANT);
    const roles = readRoles(headerOf(headers, 'x-roles') ?? DEFAULT_ROLES);
    return Promise.resolve(tenantId === null ? null : { tenantId, roles });
  }
}

/** Only `set-cookie` is a list, which is never asked for. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
