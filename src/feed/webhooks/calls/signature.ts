import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** In octets; Standard Webhooks requires 24 to 64. */
const LENGTH = 32;

/** Returns a secret in Standard Webhooks form: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(LENGTH).toString('base64');
}

export interface Message {
  /** Identical for every attempt; without full stops. */
  readonly id: string;
  /** Time of this attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Standard Webhooks 1.0: HMAC-SHA256 of ID, time and body for each secret from `newWebhookSecret`. */
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
