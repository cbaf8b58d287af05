import { ServiceError } from '../common/service-error.js';
import { mailboxFault } from '../dns/mailbox.js';

/**
 * One function judges the mailboxes of all interfaces (behaviour 7.1).
 * @throws ServiceError `invalid_object`
 */
export function assertMailbox(email: string): void {
  const fault = mailboxFault(email);
  if (fault !== null) throw ServiceError.ofField('invalid_object', 'email', 'format', `email: ${fault}.`);
}
