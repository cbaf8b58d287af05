import { HOUR } from '../../background/background-task.js';
import { Clock, DAY } from '../../common/clock.js';
import { feature, moduleOf, type RetentionRule } from '../../plugins/feature.js';

/** Audit of all zones, tokens and quotas. Commands show it, and the admin extension offers it over HTTP. */
export const AUDIT = feature({
  name: 'audit',
  entities: async () => [(await import('../../database/audit/audit-entry.entity.js')).AuditEntryEntity],
  core: async () => {
    const { AuditRepository } = await import('./audit.repository.js');
    const { AuditService } = await import('./audit.service.js');
    const shared = [AuditService, AuditRepository];
    return { modules: [moduleOf('Audit', { global: true, providers: shared, exports: shared })] };
  },
  api: async ({ config: { central } }) => ({
    retention: await retentionOf(central.retention.auditDays),
    adminExtensions: {
      audit: moduleOf('AuditAdmin', {
        controllers: [(await import('./admin/audit.controller.js')).AuditController],
        providers: [(await import('./admin/pipes/audit-request.pipe.js')).AuditRequestPipe],
      }),
    },
  }),
});

/** Removes old audit entries. The history retention removes journal steps. */
async function retentionOf(days: number | null): Promise<RetentionRule[]> {
  if (days === null) return [];
  const { AuditRepository } = await import('./audit.repository.js');
  return [
    {
      name: 'audit.retention',
      subject: 'old audit entries',
      every: HOUR,
      remove: (services, tx) => services.get(AuditRepository).removeOld(tx, services.get(Clock).now() - days * DAY),
    },
  ];
}
