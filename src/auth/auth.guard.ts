import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { ApiRequest } from '../http/request.js';
import { ACCESS, type Access } from './access.decorators.js';
import { Authenticator, type Identity } from './authenticator.js';
import { isAdmin, mayActForOthers, mayCall, mayWrite } from './policy.js';
import { readTenantId } from './tenant-id.js';

const READING_METHODS = new Set(['GET', 'HEAD']);
/** Refused when repeated: a proxy may have checked another of the values than the one that Node gives us. */
const SINGLE_HEADERS = [
  'authorization',
  'x-auth-token',
  'x-auth-project-id',
  'x-auth-sudo-tenant-id',
  'x-auth-all-projects',
  'x-roles',
];
const TRUE = /^(true|1|yes|on)$/i;

/** Authenticates the caller and checks its roles (behaviour 3), before the body is read. Every refusal is 401. */
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
    assertNoRepeatedHeader(request);
    const identity = await this.authenticator.identify(request.headers);
    if (identity === null || !mayCall(identity))
      throw accessDenied(
        'Send a valid token in X-Auth-Token or Authorization: Bearer; this one is missing or not valid.',
      );
    const caller = callerOf(identity, request);
    if (access === 'admin' && !isAdmin(caller)) throw accessDenied('This operation needs the role admin.');
    if (!mayWrite(identity) && !READING_METHODS.has(request.method))
      throw accessDenied('The role reader may only read.');
    request.caller = caller;
    return true;
  }
}

/** The caller, for the tenant that it acts for: an admin may name another one, or all (behaviour 3.2). */
function callerOf(identity: Identity, request: ApiRequest): Caller {
  const { tenantId, roles, tokenId = null, user = null } = identity;
  const sudoTenant = request.header('X-Auth-Sudo-Tenant-ID');
  const allTenants = TRUE.test(request.header('X-Auth-All-Projects') ?? '');
  if ((sudoTenant !== undefined || allTenants) && !mayActForOthers(identity))
    throw accessDenied('X-Auth-Sudo-Tenant-ID and X-Auth-All-Projects need the role admin.');
  const actingFor = sudoTenant === undefined ? tenantId : readTenantId(sudoTenant);
  if (actingFor === null) throw accessDenied('X-Auth-Sudo-Tenant-ID names no tenant.');
  return { tenantId: actingFor, roles, allTenants, tokenId, user, requestId: request.requestId };
}

function assertNoRepeatedHeader({ headersDistinct }: ApiRequest): void {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw accessDenied(`Send the header ${repeated} once.`);
}

function accessDenied(message: string): ServiceError {
  return new ServiceError('access_denied', message);
}
