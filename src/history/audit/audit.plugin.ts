import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Who did what when, over all zones, tokens and quotas. Commands show it too; the admin extension does over HTTP. */
export const AUDIT = feature({
  name: 'audit',
  schema: async () => ({
    entities: [(await import('../../database/audit/audit-entry.entity.js')).AuditEntryEntity],
    migrations: [
      migration('CreateAudit1763882000000', () => import('../../database/migrations/1763882000000-create-audit.js')),
    ],
  }),
  core: async ({ config: { central } }) => {
    const { AuditOptions } = await import('./audit.options.js');
    const { AuditRepository } = await import('./audit.repository.js');
    const { AuditService } = await import('./audit.service.js');
    const options = { provide: AuditOptions, useValue: { days: central.retention.auditDays } };
    const shared = [AuditService, AuditRepository, options];
    return { modules: [moduleOf('Audit', { global: true, providers: shared, exports: shared })] };
  },
  api: async () => ({
    // Whether or not it is shown.
    modules: [moduleOf('AuditUpkeep', { providers: [(await import('./audit-cleanup.js')).AuditCleanup] })],
    adminExtensions: {
      audit: moduleOf('AuditAdmin', {
        controllers: [(await import('./admin/audit.controller.js')).AuditController],
        providers: [(await import('./admin/pipes/audit-request.pipe.js')).AuditRequestPipe],
      }),
    },
  }),
});
