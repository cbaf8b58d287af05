import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Authenticator, type Identity } from './authenticator.js';
import { readTenantId } from './tenant-id.js';

const DEFAULT_TENANT = 'noauth-project';
const DEFAULT_ROLES = 'admin';

/** Believes what the caller says of itself (behaviour 3.5): for a loopback address and for tests. */
@Injectable()
export class NoauthAuthenticator extends Authenticator {
  override identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const tenantId = readTenantId(headerOf(headers, 'x-auth-project-id') ?? DEFAULT_TENANT);
    const roles = (headerOf(headers, 'x-roles') ?? DEFAULT_ROLES).split(',').map((role) => role.trim());
    return Promise.resolve(tenantId === null ? null : { tenantId, roles: roles.filter(Boolean) });
  }
}

/** Node makes a list of `set-cookie` only. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
