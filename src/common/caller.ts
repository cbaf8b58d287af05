/** Who is asking, for which tenant, and in which request. */
export interface Caller {
  /** The tenant whose domains the caller works on. */
  readonly tenantId: string;
  readonly roles: readonly string[];
  readonly isAdmin: boolean;
  /** An admin who asked, with `X-Auth-All-Projects`, to see the domains of every tenant. */
  readonly allTenants: boolean;
  /** The `req-…` id that answers and the journal carry. */
  readonly requestId: string;
}

/** Whether what a tenant owns is there for the caller. */
export function maySee(caller: Caller, { tenantId }: { readonly tenantId: string }): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}
