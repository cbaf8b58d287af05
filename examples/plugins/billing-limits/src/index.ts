import { definePlugin, fill, RecordLimits } from 'zonewright';
import { BillingLimitsApiModule, BillingLimitsModule } from './billing-limits.module.js';
import { OPTIONS } from './billing-limits.options.js';
import { BillingRecordLimits } from './billing-record-limits.js';

export default definePlugin({
  name: 'billing-limits',
  zonewright: '^1.0.0',
  options: OPTIONS,
  core: ({ options }) => ({
    modules: [BillingLimitsModule.register(options)],
    ports: [fill(RecordLimits, BillingRecordLimits)],
  }),
  api: () => ({ modules: [BillingLimitsApiModule] }),
});
