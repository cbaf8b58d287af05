export function decodeHex(text: string): Uint8Array | undefined {
  return /^[0-9A-Fa-f]*$/.test(text) && text.length % 2 === 0 ? Buffer.from(text, 'hex') : undefined;
}

export function encodeHex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}

/** Padded, canonical base64 (RFC 4648 §4, §3.5). */
export function decodeBase64(text: string): Uint8Array | undefined {
  const octets = Buffer.from(text, 'base64');
  return octets.toString('base64') === text ? octets : undefined;
}

export function encodeBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}

/** RFC 4648 §7, in lower case: texts sort like their octets. */
const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

/** Without padding (RFC 5155 §3.3). */
export function encodeBase32Hex(octets: Uint8Array): string {
  let text = '';
  let [bits, count] = [0, 0];
  for (const octet of octets) {
    bits = ((bits << 8) | octet) & 0xfff;
    for (count += 8; count >= 5; count -= 5) text += BASE32HEX[(bits >> (count - 5)) & 31] ?? '';
  }
  return count === 0 ? text : text + (BASE32HEX[(bits << (5 - count)) & 31] ?? '');
}

export function decodeBase32Hex(text: string): Uint8Array | undefined {
  const octets: number[] = [];
  let [bits, count] = [0, 0];
  for (const character of text.toLowerCase()) {
    const value = BASE32HEX.indexOf(character);
    if (value === -1) return undefined;
    bits = ((bits << 5) | value) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    octets.push((bits >> count) & 0xff);
  }
  return Uint8Array.from(octets);
}
