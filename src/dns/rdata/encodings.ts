/** The octets of a text of two hexadecimal digits for each; undefined for any other text. */
export function decodeHex(text: string): Uint8Array | undefined {
  return /^[0-9A-Fa-f]*$/.test(text) && text.length % 2 === 0 ? Buffer.from(text, 'hex') : undefined;
}

export function encodeHex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}

/** The octets of a text in base64 (RFC 4648 §4), padded and canonical (§3.5); undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const octets = Buffer.from(text, 'base64');
  return octets.toString('base64') === text ? octets : undefined;
}

export function encodeBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}
