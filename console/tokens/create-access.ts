import { ask } from '../api/client.js';
import type { NewToken, NewUpdateKey } from '../api/types.js';
import { words } from '../words/index.js';
import { type Client, CLIENTS, type Protocol } from './clients.js';
import { limitsFor, type Placed } from './scope.js';

/** A new credential, or the settings of a client that needs none. */
export interface Made {
  /** `null`: an API token. */
  readonly client: { readonly id: Client; readonly protocol: Protocol; readonly placed: readonly Placed[] } | null;
  /** Empty for tokens. */
  readonly keyName: string;
  /** The secret of the key, or the token. */
  readonly secret: string;
}

interface Common {
  readonly description: string;
  readonly expires_at?: string;
}

const MAX_DESCRIPTION = 160;
/** Leaves room for the label before it: a name has at most 255 octets. */
const LONGEST_PARENT = 200;

/** @throws Refusal, NoAnswer */
export async function createAccess(
  id: Client,
  protocol: Protocol,
  placed: readonly Placed[],
  common: Common,
): Promise<Made> {
  const client = { id, protocol, placed };
  const limits = limitsFor(CLIENTS[id].purpose, placed);
  const [first] = placed;
  const described = words.access.defaultDescription(words.access.clients[id], withoutDot(first?.name ?? ''));
  const json = {
    ...limits,
    ...common,
    description: common.description === '' ? described.slice(0, MAX_DESCRIPTION) : common.description,
  };
  switch (protocol) {
    case 'update': {
      const name = newKeyName(id, limits.domains[0] ?? '');
      const { body } = await ask<NewUpdateKey>('/v1/update-keys', { method: 'POST', json: { ...json, name } });
      return { client, keyName: body.name, secret: body.secret };
    }
    case 'webhook':
    case 'powerdns': {
      const { body } = await ask<NewToken>('/v1/tokens', { method: 'POST', json });
      return { client, keyName: '', secret: body.token };
    }
    case 'openstack':
      return { client, keyName: '', secret: '' };
  }
}

/** No two keys of the service have the same name. */
function newKeyName(client: Client, zone: string): string {
  const parent = zone.length > LONGEST_PARENT ? 'zonewright.' : zone.toLowerCase();
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${client.toLowerCase()}-${number.toString(36)}.${parent}`;
}

export const withoutDot = (name: string): string => name.replace(/\.$/, '');
