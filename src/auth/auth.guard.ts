import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Caller } from '../common/caller.js';
import type { ApiRequest } from '../common/http/request.js';
import { ServiceError } from '../common/service-error.js';
import { ACCESS, type Access } from './access.decorators.js';
import { Authenticator, type Identity } from './authenticator.js';
import { readTenantId } from './tenant-id.js';

const ADMIN_ROLE = 'admin';
const READER_ROLE = 'reader';
const READING = new Set(['GET', 'HEAD']);
/** Sent twice, one of them may be somebody else's: Node keeps the first of some and joins others. */
const SINGLE_HEADERS = [
  'authorization',
  'x-auth-token',
  'x-auth-project-id',
  'x-auth-sudo-tenant-id',
  'x-auth-all-projects',
];
const TRUE = /^(true|1|yes|on)$/i;

/** Who may (behaviour 3): every refusal here is the same 401, and every request is refused before its body is read. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    assertSaidOnce(request);
    const identity = await this.authenticator.identify(request.headers);
    if (identity === null || identity.roles.length === 0)
      throw denied('Send a valid token in X-Auth-Token or Authorization: Bearer; this one is missing or not valid.');
    const caller = callerOf(identity, request);
    if (access === 'admin' && !caller.isAdmin) throw denied('This operation needs the role admin.');
    if (isReaderOnly(identity) && !READING.has(request.method)) throw denied('The role reader may only read.');
    request.caller = caller;
    return true;
  }
}

/** The caller with what an admin asked for: another tenant, or all of them (behaviour 3.2). */
function callerOf({ tenantId, roles }: Identity, request: ApiRequest): Caller {
  const isAdmin = roles.includes(ADMIN_ROLE);
  const sudoTenant = request.header('X-Auth-Sudo-Tenant-ID');
  const allTenants = TRUE.test(request.header('X-Auth-All-Projects') ?? '');
  if ((sudoTenant !== undefined || allTenants) && !isAdmin)
    throw denied('X-Auth-Sudo-Tenant-ID and X-Auth-All-Projects need the role admin.');
  const actingFor = sudoTenant === undefined ? tenantId : readTenantId(sudoTenant);
  if (actingFor === null) throw denied('X-Auth-Sudo-Tenant-ID names no tenant.');
  return { tenantId: actingFor, roles, isAdmin, allTenants, requestId: request.requestId };
}

function assertSaidOnce({ headersDistinct }: ApiRequest): void {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw denied(`Send the header ${repeated} once.`);
}

function isReaderOnly({ roles }: Identity): boolean {
  return roles.every((role) => role === READER_ROLE);
}

function denied(message: string): ServiceError {
  return new ServiceError('access_denied', message);
}
