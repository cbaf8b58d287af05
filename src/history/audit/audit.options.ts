import { inSection } from '../../config/option.js';
import { keptDays } from '../../zones/zones.options.js';

export const AUDIT_OPTIONS = inSection('service:central', {
  auditDays: {
    name: 'audit_days',
    default: '',
    reader: keptDays,
    meaning: 'days for which the audit keeps what is not in the history of a domain; empty: for ever',
  },
});

/** What the service says of its audit. */
export abstract class AuditOptions {
  /** Days for which entries are kept that the history of no zone has; `null`: for ever. */
  abstract readonly days: number | null;
}
