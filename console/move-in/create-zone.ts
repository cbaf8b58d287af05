import { ask } from '../api/client.js';
import { zonesOfName } from '../api/queries.js';
import type { Zone } from '../api/types.js';

/** Creates the zone, still without records, unless it exists. @returns its name */
export async function createdZone(domain: string, email: string): Promise<string> {
  const [found] = await zonesOfName(domain);
  if (found !== undefined) return found.name;
  const json = { name: domain, email: email === '' ? usualContact(domain) : email };
  const idempotencyKey = crypto.randomUUID();
  return (await ask<Zone>('/v1/domains', { method: 'POST', json, idempotencyKey })).body.name;
}

/** RFC 2142 §7 */
export const usualContact = (domain: string): string => `hostmaster@${domain.replace(/\.$/, '')}`;
