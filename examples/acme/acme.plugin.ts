import { Authenticator, definePlugin, fill, readers, RecordLimits } from '../../src/index.js';
import { RACK } from './rack.js';
import { AcmeModule } from './acme.module.js';
import { AcmeRecordLimits } from './acme-record-limits.js';
import { ProxyAuthenticator } from './proxy.authenticator.js';
import { REPORT } from './report.command.js';
import { CreateAcmeReports1764000000000 } from './reports/create-acme-reports.js';
import { ReportEntity } from './reports/report.entity.js';
import { ReportsModule } from './reports/reports.module.js';

/** The plugin of a fictional team: one contribution of each kind, all used by tests. */
export const ACME = definePlugin({
  name: 'acme',
  zonewright: '^1.0.0',
  options: {
    recordsPerZone: {
      name: 'records_per_zone',
      default: '3',
      reader: readers.integer(1, 1000),
      meaning: 'records that a zone may hold',
    },
  },
  recordTypes: () => [RACK],
  schema: () => ({ entities: [ReportEntity], migrations: [CreateAcmeReports1764000000000] }),
  core: ({ options }) => ({
    modules: [AcmeModule.register(options)],
    ports: [fill(RecordLimits, AcmeRecordLimits)],
  }),
  api: () => ({
    ports: [fill(Authenticator, ProxyAuthenticator)],
    adminExtensions: { reports: ReportsModule },
  }),
  commands: [REPORT],
});
