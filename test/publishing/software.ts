import { type NameServerName, NEEDS } from '../support/name-servers/name-servers.js';
import type { Program } from '../support/run-program.js';

/** Servers that add and drop domains by the catalog zone. */
const WITH_CATALOG: readonly NameServerName[] = ['BIND', 'Knot', 'PowerDNS'];
export const NAMES: readonly NameServerName[] = [...WITH_CATALOG, 'NSD'];

const CLIENTS = { dig: 'bind9-dnsutils', kdig: 'knot-dnsutils', drill: 'ldnsutils', setpriv: 'util-linux' };

export const FOUR_SERVERS: Program = serversOf(NAMES);

/** These name servers, with the programs that read their answers. */
export function serversOf(names: readonly NameServerName[]): Program {
  return {
    name: names.join(', '),
    needs: Object.assign({}, CLIENTS, ...names.map((name) => NEEDS[name])) as Program['needs'],
  };
}
