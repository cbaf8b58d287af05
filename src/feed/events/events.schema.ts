import { CreateEventLog1763887000000 } from '../../database/migrations/1763887000000-create-event-log.js';
import { EventLogRowEntity } from './event-log-row.entity.js';
import { EventLogTenantEntity } from './event-log-tenant.entity.js';

export const entities = [EventLogRowEntity, EventLogTenantEntity];
export const migrations = [CreateEventLog1763887000000];
