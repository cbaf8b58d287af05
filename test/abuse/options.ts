import type { Settings } from '../support/service.js';
import { inForm } from './form.js';

/** The limits that tests set, by the names of their options; the defaults stand in docs/configuration.md. */

/** Seconds in which an answer that waits for its reader must get on; the long form takes the default. */
export const READ_TIMEOUT_S = inForm(3, 30);
export const readTimeout = (): Settings => inForm<Settings>({ SERVICE_API__READ_TIMEOUT: String(READ_TIMEOUT_S) }, {});

/** Changes that a tenant may make within a minute. */
export const changesPerMinute = (changes: number): Settings => ({ SERVICE_API__CHANGES_PER_MINUTE: String(changes) });

/** Where a tenant has more text than it may write within a minute before the attack begins. */
export const unlimitedChanges = (): Settings => changesPerMinute(0);

/** How long the journal is kept. */
export const historyDays = (days: number): Settings => ({ SERVICE_CENTRAL__HISTORY_DAYS: String(days) });

/** Retention of deleted domains. */
export const deletedHistoryDays = (days: number): Settings => ({
  SERVICE_CENTRAL__DELETED_HISTORY_DAYS: String(days),
});

/** Public suffixes to add to the list, and listed suffixes to ignore. */
export const publicSuffixes = (added: string, excepted: string): Settings => ({
  SERVICE_CENTRAL__PUBLIC_SUFFIXES: added,
  SERVICE_CENTRAL__PUBLIC_SUFFIX_EXCEPTIONS: excepted,
});
