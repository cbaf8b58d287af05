import { command } from '../../src/index.js';
import { ReportsService } from './reports/reports.service.js';

export const REPORT = command({
  name: 'report',
  description: 'note how full a zone is, and say it',
  arguments: '<zone>',
  run: async ({ withServices }, { arguments: [zone = ''] }) => {
    const { records } = await withServices((services) => services.get(ReportsService).add(zone));
    console.log(`${zone} has ${records} records`);
  },
});
