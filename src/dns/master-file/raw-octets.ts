import { isUtf8 } from 'node:buffer';

/**
 * Rewrites a token that has octets above 127, each of them a character of its own, as text that stands for the same octets.
 * Octets in UTF-8 become the characters that they encode, so that the error for a name can offer its A-labels; others
 * become `\DDD`.
 */
export function textOfRawOctets(token: string): string {
  const plain = token.replace(/\\([\x80-\xff])|(\\[^])/g, '$1$2');
  const octets = Buffer.from(plain, 'latin1');
  return isUtf8(octets) ? octets.toString() : plain.replace(/[\x80-\xff]/g, (octet) => `\\${octet.charCodeAt(0)}`);
}
