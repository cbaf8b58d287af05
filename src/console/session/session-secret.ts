import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

/** 256 random bits: too many to be found by trying. */
const OCTETS = 32;
const FORM = /^[\w-]{43}$/;
const CIPHER = 'aes-256-gcm';
/** In octets (NIST SP 800-38D). */
const IV = 12;
const TAG = 16;

/** What the cookie of a session holds. The database has its SHA-256, and nothing that leads back to it. */
export function newSessionSecret(): string {
  return randomBytes(OCTETS).toString('base64url');
}

export function looksLikeSecret(text: string): boolean {
  return FORM.test(text);
}

export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

/** What a request that changes something has to know beside the cookie, which a browser sends by itself. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/** Encrypts what only who has the cookie may use: whoever reads the database finds no credential in it. */
export function sealed(secret: string, text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, keyFrom(secret), iv);
  const octets = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), octets]).toString('base64');
}

/** @throws Error for what was sealed with another secret */
export function unsealed(secret: string, text: string): string {
  const octets = Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, keyFrom(secret), octets.subarray(0, IV));
  decipher.setAuthTag(octets.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(octets.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'credential of a session', OCTETS));
}
