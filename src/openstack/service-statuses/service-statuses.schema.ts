import { ServiceStatusEntity } from './service-status.entity.js';

/** The migration of zone names makes the table. */
export const entities = [ServiceStatusEntity];
export const migrations = [];
