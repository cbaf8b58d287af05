import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** In octets; Standard Webhooks asks for 24 to 64. */
const LENGTH = 32;

/** A secret as Standard Webhooks writes them: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(LENGTH).toString('base64');
}

/** What is sent, and which message it is. */
export interface Message {
  /** The same in every attempt. It has no full stop. */
  readonly id: string;
  /** Of this attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that Standard Webhooks 1.0 has a receiver verify: HMAC-SHA256 of id, time and body, once for each secret.
 * @param secrets as `newWebhookSecret` makes them
 */
export function signatureHeaders({ id, timestamp, body }: Message, secrets: readonly string[]): Record<string, string> {
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
