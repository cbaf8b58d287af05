import { PoolEntity } from './pool.entity.js';

/** The migration of zone names makes the table. */
export const entities = [PoolEntity];
export const migrations = [];
