import { isUtf8 } from 'node:buffer';

/**
 * An item with octets above 127, each of them a character of its own, as text that stands for the same octets: characters
 * where they are UTF-8, so that a name can be refused with its A-labels, and `\DDD` where they are anything else.
 */
export function textOfRawOctets(item: string): string {
  const plain = item.replace(/\\([\x80-\xff])|(\\[^])/g, '$1$2');
  const octets = Buffer.from(plain, 'latin1');
  return isUtf8(octets) ? octets.toString() : plain.replace(/[\x80-\xff]/g, (octet) => `\\${octet.charCodeAt(0)}`);
}
