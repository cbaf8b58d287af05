import { CreateQuotas1763610000000 } from '../database/migrations/1763610000000-create-quotas.js';
import { QuotaEntity } from './quota.entity.js';

export const entities = [QuotaEntity];
export const migrations = [CreateQuotas1763610000000];
