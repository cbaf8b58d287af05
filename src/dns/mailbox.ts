import { DomainName } from './name.js';

/** Printable characters that mean something in master-file text and need a backslash to stand for themselves. */
const SPECIAL = /[.\\"();@$]/g;

/**
 * RFC 1035 §8: a mailbox as the domain name that an SOA record carries; its local part is one label.
 * @throws NameError where the local part or the whole does not fit a domain name
 */
export function mailboxName(address: string): DomainName {
  const at = address.lastIndexOf('@');
  const localPart = address.slice(0, at).replace(SPECIAL, '\\$&');
  return DomainName.parse(`${localPart}.${address.slice(at + 1)}.`);
}
