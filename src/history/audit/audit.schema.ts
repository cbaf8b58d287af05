import { AuditEntryEntity } from '../../database/audit/audit-entry.entity.js';
import { CreateAudit1763882000000 } from '../../database/migrations/1763882000000-create-audit.js';

export const entities = [AuditEntryEntity];
export const migrations = [CreateAudit1763882000000];
