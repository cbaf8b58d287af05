import { MOVING, NOW } from './scene.js';

const OWN = ['ns1.example.net.', 'ns2.example.net.'];
export const OLD = ['ns1.old-provider.example', 'ns2.old-provider.example'];
const ADDRESSES = ['203.0.113.53', '203.0.113.54'];

/** The delegation of a zone. The one of the zone that moves in has reached one of two name servers of the parent. */
export function parentLook(zone: string): object {
  const former = OLD.map((name) => `${name}.`);
  const delegations = [OWN, zone === MOVING ? former : OWN];
  return {
    zone: zone.split('.').slice(1).join('.'),
    ...{ hosted: false, ds: [], ds_ttl: null, problem: null, seen_at: NOW.replace('Z', '.000000') },
    servers: delegations.map((ns, at) => ({ name: `${'ab'[at]}.nic.example.`, ds: [], ns, error: null })),
  };
}

/** The zone that moves in, compared with the answers of its old name servers. */
export function liveComparison(): object {
  const name_servers = OLD.map((name) => `${name}:53`);
  const set = (type: string, ttl: number, ...data: string[]) => ({ type, ttl, data });
  return {
    name_servers: name_servers.map((name, at) => ({ name, address: ADDRESSES[at] ?? null, reason: null, error: null })),
    ...{ compared: 4, left_out: 1, unanswered: [], links: { self: '/' } },
    differences: [
      {
        ...{ name: MOVING, type: 'A', kind: 'ttl', name_servers },
        ...{ ours: set('A', 300, '203.0.113.80'), theirs: set('A', 3600, '203.0.113.80') },
      },
      {
        ...{ name: `mail.${MOVING}`, type: 'A', kind: 'data', name_servers },
        ...{ ours: set('A', 3600, '203.0.113.25'), theirs: set('A', 3600, '203.0.113.26') },
      },
    ],
  };
}
