import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { Caller } from '../common/caller.js';
import { HttpOptions } from '../http/http.options.js';
import { RequestLimits } from '../http/request-limits.js';
import type { ApiRequest } from '../http/request.js';
import type { RequestedPrivileges } from '../http/api-interface.js';
import { ACCESS, type Access } from './access.decorators.js';
import type { Identity } from './authenticator.js';
import { isAdmin, isScoped, mayActForOthers, mayCall, mayCallForNobody, mayGoBeyondRules, mayWrite } from './policy.js';
import { assertNoRepeatedHeader, forbidden, addressOf, Identification } from './identification.js';
import { NO_TENANT, readTenantId } from './tenant-id.js';

const READING_METHODS = new Set(['GET', 'HEAD']);

/** Authenticates the caller and checks its roles before the body is read (behaviour 3). */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly identification: Identification,
    private readonly reflector: Reflector,
    private readonly limits: RequestLimits,
    private readonly http: HttpOptions,
  ) {}

  /** @throws ServiceError `access_denied` without a valid credential, `forbidden` without the role, `rate_limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    assertNoRepeatedHeader(request);
    const identity = await this.identification.identify(request);
    this.limits.countToken(request, http.getResponse<Response>(), identity);
    if (!mayCall(identity)) throw forbidden('The credential has no role.');
    const caller = callerOf(
      identity,
      request,
      this.http.interfaceOf(request.path).parsePrivilegeHeaders(request),
      access,
    );
    if (access === 'admin' && (!isAdmin(caller) || isScoped(caller)))
      throw forbidden('This operation needs the role admin.');
    if (!mayWrite(identity) && !isReading(request)) throw forbidden('The role reader may only read.');
    request.caller = caller;
    return true;
  }
}

/** Returns the caller with its tenant. An admin may name another tenant, or all (behaviour 3.2). */
function callerOf(
  identity: Identity,
  request: ApiRequest,
  privileges: RequestedPrivileges,
  access: Access | undefined,
): Caller {
  const { roles, restrictions, expiresAt, tokenId = null, user = null, isOwnToken = false } = identity;
  const { sudoTenant, allTenants, editsManaged, deletesHard, deletesShares } = privileges;
  if ((sudoTenant !== null || allTenants) && !mayActForOthers(identity))
    throw forbidden('To act for another project, or for all, needs the role admin.');
  if ((editsManaged || deletesHard) && !mayGoBeyondRules(identity))
    throw forbidden('X-Designate-Edit-Managed-Records and X-Designate-Hard-Delete need the role admin.');
  const isForAll = access === 'admin' || access === 'self' || (allTenants && isReading(request));
  const tenantId = sudoTenant === null ? ownTenantOf(identity, isForAll) : namedTenant(sudoTenant);
  const asked = { tenantId, allTenants, editsManaged, deletesHard, deletesShares };
  const limits = { ...(restrictions && { restrictions }), ...(expiresAt !== undefined && { expiresAt }) };
  const proof = { tokenId, isOwnToken, user, address: addressOf(request) };
  return { roles, ...proof, requestId: request.requestId, ...limits, ...asked };
}

/** @throws ServiceError `forbidden` if the request needs a tenant and the credential names none */
function ownTenantOf(identity: Identity, isForAll: boolean): string {
  const { tenantId } = identity;
  if (tenantId !== null) return tenantId;
  if (isForAll && mayCallForNobody(identity)) return NO_TENANT;
  throw forbidden(
    'The credential belongs to no project. As an admin, name one in X-Auth-Sudo-Tenant-ID, or read all with X-Auth-All-Projects.',
  );
}

function namedTenant(header: string): string {
  const tenantId = readTenantId(header);
  if (tenantId === null) throw forbidden('The header that names the project to act for is empty.');
  return tenantId;
}

function isReading({ method }: ApiRequest): boolean {
  return READING_METHODS.has(method);
}
