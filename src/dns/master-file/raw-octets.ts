import { isUtf8 } from 'node:buffer';

/** A token with octets above 127 as text that stands for the same octets. */
interface RawText {
  readonly text: string;
  /** Whether the text has octets as `\DDD` that the file has as they are. */
  readonly hasOctetEscapes: boolean;
}

/**
 * Rewrites a token in which each octet above 127 is a character of its own. Octets in UTF-8 become the characters that they
 * encode, so that the error for a name can offer its A-labels; others become `\DDD`.
 */
export function textOfRawOctets(token: string): RawText {
  const plain = token.replace(/\\([\x80-\xff])|(\\[^])/g, '$1$2');
  const octets = Buffer.from(plain, 'latin1');
  if (isUtf8(octets)) return { text: octets.toString(), hasOctetEscapes: false };
  const text = plain.replace(/[\x80-\xff]/g, (octet) => `\\${octet.charCodeAt(0)}`);
  return { text, hasOctetEscapes: true };
}

/**
 * The message with the replacement character for each octet above 127 that `textOfRawOctets` has written as `\DDD`: the file has
 * the octet, and no escape. A quotation may end inside of one.
 */
export function withoutOctetEscapes(message: string): string {
  return message.replace(/\\(?:1(?:2[89]|[3-9][0-9])|2[0-9]{2})/g, '\ufffd').replace(/\\[12]?[0-9]?…/g, '…');
}
