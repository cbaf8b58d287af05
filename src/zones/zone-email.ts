import { ServiceError } from '../common/service-error.js';
import { mailboxName } from '../dns/mailbox.js';
import { NameError } from '../dns/name.js';

const MAILBOX = /^[\x21\x23-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/;

/**
 * An interface may ask for more; this is what the SOA record needs (RFC 1035 §3.3.13).
 * @throws ServiceError `invalid_object`
 */
export function assertMailbox(email: string): void {
  if (!MAILBOX.test(email)) throw refused('email is a mailbox such as hostmaster@example.org.');
  try {
    mailboxName(email);
  } catch (error) {
    throw error instanceof NameError ? refused(`email: ${error.message}.`) : error;
  }
}

function refused(message: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'email', 'format', message);
}
