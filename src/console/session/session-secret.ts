import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

/** 256 random bits, against guessing. */
const OCTETS = 32;
const FORM = /^[\w-]{43}$/;
const CIPHER = 'aes-256-gcm';
/** In octets (NIST SP 800-38D). */
const IV = 12;
const TAG = 16;

/** Value of the session cookie. The database has only its SHA-256. */
export function newSessionSecret(): string {
  return randomBytes(OCTETS).toString('base64url');
}

export function looksLikeSecret(text: string): boolean {
  return FORM.test(text);
}

export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

/** A write must send this token as well, because a browser sends the cookie by itself. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/** Encrypts a credential with the session cookie, so that the database alone does not reveal it. */
export function sealed(secret: string, text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, keyFrom(secret), iv);
  const octets = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), octets]).toString('base64');
}

export function unsealed(secret: string, text: string): string {
  const octets = Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, keyFrom(secret), octets.subarray(0, IV));
  decipher.setAuthTag(octets.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(octets.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'credential of a session', OCTETS));
}
