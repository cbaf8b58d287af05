import { inSection, option } from '../../config/option.js';
import { keptDays } from '../../zones/zones.options.js';

export const AUDIT_OPTIONS = inSection('service:central', {
  auditDays: option(
    keptDays,
    '',
    'retention in days of audit entries that are not in the history of a domain; empty: unlimited',
  ),
});
