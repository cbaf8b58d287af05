import { administrator, type Caller } from '../common/caller.js';

/** Whoever may run commands on the database acts as an admin, for every tenant. */
export function operatorFor(tenantId: string): Caller {
  return administrator('operator', 'cli', tenantId);
}
