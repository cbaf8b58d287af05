import { definePlugin } from '../../plugins/plugin.js';

/** Who did what when, over all zones, tokens and quotas. Commands show it too; the admin extension does over HTTP. */
export const AUDIT = definePlugin({
  name: 'audit',
  zonewright: '*',
  schema: () => import('./audit.schema.js'),
  core: async ({ config: { central } }) => {
    const { AuditCoreModule } = await import('./audit-core.module.js');
    return { modules: [AuditCoreModule.register({ days: central.retention.auditDays })] };
  },
  api: async () => {
    const { AuditModule, AuditUpkeepModule } = await import('./audit.module.js');
    return { modules: [AuditUpkeepModule], adminExtensions: { audit: AuditModule } };
  },
});
