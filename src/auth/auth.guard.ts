import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { ApiRequest } from '../http/request.js';
import { ACCESS, type Access } from './access.decorators.js';
import { Authenticator, type Identity } from './authenticator.js';
import { isAdmin, mayActForOthers, mayCall, mayWrite } from './policy.js';
import { readTenantId } from './tenant-id.js';

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

/** Who may call (behaviour 3): every refusal here is the same 401, and comes before the body is read. */
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
      throw denied('Send a valid token in X-Auth-Token or Authorization: Bearer; this one is missing or not valid.');
    const caller = callerOf(identity, request);
    if (access === 'admin' && !isAdmin(caller)) throw denied('This operation needs the role admin.');
    if (!mayWrite(identity) && !READING.has(request.method)) throw denied('The role reader may only read.');
    request.caller = caller;
    return true;
  }
}

/** The caller with what an admin asked for: another tenant, or all of them (behaviour 3.2). */
function callerOf(identity: Identity, request: ApiRequest): Caller {
  const { tenantId, roles, tokenId = null, user = null } = identity;
  const sudoTenant = request.header('X-Auth-Sudo-Tenant-ID');
  const allTenants = TRUE.test(request.header('X-Auth-All-Projects') ?? '');
  if ((sudoTenant !== undefined || allTenants) && !mayActForOthers(identity))
    throw denied('X-Auth-Sudo-Tenant-ID and X-Auth-All-Projects need the role admin.');
  const actingFor = sudoTenant === undefined ? tenantId : readTenantId(sudoTenant);
  if (actingFor === null) throw denied('X-Auth-Sudo-Tenant-ID names no tenant.');
  return { tenantId: actingFor, roles, allTenants, tokenId, user, requestId: request.requestId };
}

function assertNoRepeatedHeader({ headersDistinct }: ApiRequest): void {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw denied(`Send the header ${repeated} once.`);
}

function denied(message: string): ServiceError {
  return new ServiceError('access_denied', message);
}
