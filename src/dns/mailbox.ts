import { DomainName } from './name.js';

/** Printable characters that need a backslash in master-file text. */
const SPECIAL = /[.\\"();@$]/g;

/**
 * The domain name that an SOA record has for a mail address (RFC 1035 §8): the local part is its first label.
 * @throws NameError where the address does not fit a domain name
 */
export function mailboxName(address: string): DomainName {
  const at = address.lastIndexOf('@');
  const localPart = address.slice(0, at).replace(SPECIAL, '\\$&');
  return DomainName.parse(`${localPart}.${address.slice(at + 1)}.`);
}

/** The mail address that such a name stands for; `''` for the root, which stands for none. */
export function mailboxOf(name: DomainName): string {
  const [localPart] = name.labels;
  if (localPart === undefined) return '';
  const domain = DomainName.read(name.wire, 1 + localPart.length).toString();
  return `${Buffer.from(localPart).toString('latin1')}@${domain.slice(0, -1)}`;
}
