import { randomUUID } from 'node:crypto';
import type { Caller } from '../common/caller.js';

/** Whoever may run commands on the database acts as an admin, for every tenant. */
export function operatorFor(tenantId: string): Caller {
  return {
    tenantId,
    roles: ['admin'],
    allTenants: true,
    tokenId: null,
    user: 'operator',
    requestId: `cli-${randomUUID()}`,
  };
}
