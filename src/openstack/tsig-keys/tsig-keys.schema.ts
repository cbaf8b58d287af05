import { TsigKeyEntity } from './tsig-key.entity.js';

/** The migration of zone names makes the table. */
export const entities = [TsigKeyEntity];
export const migrations = [];
