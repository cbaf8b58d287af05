import { DomainName, NameError } from './name.js';

const SPECIAL = /[.\\"();@$]/g;
/** RFC 5322 §3.2.3: a local part without quotes. */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
/** Names may have underscores, although host names should not (RFC 2181 §11). */
const LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;
/** RFC 1035 §8: the local part becomes one label. */
const LONGEST_LOCAL_PART = 63;

/** RFC 5321 §4.1.2, RFC 1035 §8. @returns the violated rule without a subject, or `null` */
export function mailboxFault(address: string): string | null {
  if (!PRINTABLE_ASCII.test(address))
    return 'it is plain ASCII without spaces; write an international domain as A-labels';
  const at = address.lastIndexOf('@');
  if (at < 1) return 'it is a mailbox such as hostmaster@example.org';
  const localPart = address.slice(0, at);
  if (localPart.length > LONGEST_LOCAL_PART) return `it has at most ${LONGEST_LOCAL_PART} characters before its @`;
  if (!DOT_ATOM.test(localPart))
    return "before its @ are letters, digits, !#$%&'*+-/=?^_`{|}~ and single dots between them, without quotes";
  if (!HOST.test(address.slice(at + 1)))
    return 'behind its @ is a host such as mail.example.org, without a final dot; write an international domain as A-labels';
  try {
    mailboxName(address);
    return null;
  } catch (error) {
    if (error instanceof NameError) return error.message;
    throw error;
  }
}

/** Converts a mail address to an SOA mailbox name (RFC 1035 §8). @throws NameError if the address does not fit */
export function mailboxName(address: string): DomainName {
  const at = address.lastIndexOf('@');
  const localPart = address.slice(0, at).replace(SPECIAL, '\\$&');
  return DomainName.parse(`${localPart}.${address.slice(at + 1)}.`);
}

/** Returns `''` for the root. */
export function mailboxOf(name: DomainName): string {
  const [localPart] = name.labels;
  if (localPart === undefined) return '';
  const domain = DomainName.read(name.wire, 1 + localPart.length).toString();
  return `${Buffer.from(localPart).toString('latin1')}@${domain.slice(0, -1)}`;
}
