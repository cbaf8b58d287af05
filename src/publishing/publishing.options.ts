import { isIPv6, SocketAddress } from 'node:net';
import type { AskedNameServer } from '../common/network/address-lookup.js';
import { listenAddress, nameServerAddress, network, serverName } from '../config/address-readers.js';
import type { Config } from '../config/config.js';
import type { Rule } from '../config/cross-checks.js';
import { inSection, type ValuesOf } from '../config/option.js';
import { boolean, integer, list, orEmpty, size, text } from '../config/readers.js';
import {
  type NetworkAccess,
  networkAccess,
  type NotifiedServer,
  notifiedServer,
  type TsigKey,
  tsigKey,
} from './publishing-readers.js';

/** How zones are handed to name servers. */
export const MDNS_OPTIONS = {
  ...inSection('service:mdns', {
    enabled: {
      name: 'enabled',
      default: 'False',
      reader: boolean,
      meaning: 'answer name servers and notify them of changes',
    },
    listen: {
      name: 'listen',
      default: '127.0.0.1:5354',
      reader: listenAddress,
      meaning: 'address and port for DNS over UDP and TCP; port 0 means any free port, which is logged',
    },
    copySpace: {
      name: 'copy_space',
      default: '256',
      reader: integer(1, 1_048_576),
      meaning: 'MiB of disk in spool_directory that one process takes for domains as they are transferred',
    },
    tsigKeys: {
      name: 'tsig_keys',
      default: '',
      reader: orEmpty([], list(tsigKey)),
      meaning: 'keys that sign messages between this service and name servers, as name:algorithm:base64',
      secret: true,
    },
    secondaries: {
      name: 'secondaries',
      default: '',
      reader: orEmpty([], list(notifiedServer)),
      meaning: 'name servers of the pool: each is notified of changes, signed with its key, and asked for its serials',
    },
    alsoNotify: {
      name: 'also_notify',
      default: '',
      reader: orEmpty([], list(notifiedServer)),
      meaning: 'servers that are notified of changes and not asked whether they have them',
    },
    allowTransfer: {
      name: 'allow_transfer',
      default: '',
      reader: orEmpty([], list(networkAccess)),
      meaning:
        'who may ask for domains: address[/bits], with @key only when signed by that key; empty: the secondaries',
    },
    updates: {
      name: 'updates',
      default: 'False',
      reader: boolean,
      meaning: 'take changes of zones by DNS UPDATE (RFC 2136), signed with update keys',
    },
    allowQuery: {
      name: 'allow_query',
      default: '',
      reader: orEmpty([], list(networkAccess)),
      meaning:
        'who may ask for records, as clients of DNS UPDATE do: address[/bits], with @key only when signed by that key',
    },
    allowMasters: {
      name: 'allow_masters',
      default: '',
      reader: orEmpty([], list(network)),
      meaning: 'where the masters of SECONDARY zones may be; empty: at any public address',
    },
    resolvers: {
      name: 'resolvers',
      default: '',
      reader: orEmpty([], list(nameServerAddress)),
      meaning: 'name servers that are asked for the addresses of masters; empty: those of the system',
    },
    zoneSize: {
      name: 'max_zone_size',
      default: '8 MiB',
      reader: size,
      meaning: 'octets of a SECONDARY zone as its masters send it; a larger one is not taken',
    },
    laggingAfter: {
      name: 'lagging_after',
      default: '60',
      reader: integer(1, 86_400),
      meaning: 'seconds after which a change that a name server lacks is told as an event: the domain lags',
    },
    catalogZone: {
      name: 'catalog_zone',
      default: '',
      reader: orEmpty(null, serverName),
      meaning: 'name of the catalog zone (RFC 9432), by which name servers add and drop domains; empty: none',
    },
    catalogGroup: {
      name: 'catalog_group',
      default: '',
      reader: orEmpty(null, text),
      meaning: "the group property of the catalog zone's members, which names a template; empty: none",
    },
  }),
  limits: inSection('service:mdns', {
    connections: {
      name: 'max_connections',
      default: '1000',
      reader: integer(1, 100_000),
      meaning: 'TCP connections of name servers to one process; beyond them the address that has most loses one',
    },
    connectionsPerAddress: {
      name: 'max_connections_per_address',
      default: '100',
      reader: integer(1, 100_000),
      meaning: 'TCP connections of one address to one process; one more closes the one that has been idle for longest',
    },
    pipelined: {
      name: 'max_pipelined_queries',
      default: '64',
      reader: integer(1, 100_000),
      meaning: 'queries of one connection under way; more are read when one of them is answered',
    },
    datagrams: {
      name: 'max_datagrams',
      default: '1000',
      reader: integer(1, 100_000),
      meaning: 'queries by UDP under way in one process; more are dropped, and their senders ask again',
    },
    idleTimeout: {
      name: 'idle_timeout',
      default: '10',
      reader: integer(1, 3600),
      meaning: 'seconds after which a connection is closed on which no query has come and none is answered',
    },
    readTimeout: {
      name: 'read_timeout',
      default: '30',
      reader: integer(1, 3600),
      meaning: 'seconds in which a name server takes 16 KiB a second of an answer that waits for it, or is cut off',
    },
    transferTimeout: {
      name: 'transfer_timeout',
      default: '600',
      reader: integer(1, 86_400),
      meaning: 'seconds after which a transfer is cut off that is still under way',
    },
  }),
};

export const MDNS_RULES: readonly Rule<Config>[] = [
  {
    option: MDNS_OPTIONS.tsigKeys,
    isBroken: ({ mdns: { tsigKeys } }) => new Set(tsigKeys.map(({ name }) => name)).size < tsigKeys.length,
    reason: 'allowed: each name of a key once',
  },
  ...(['secondaries', 'alsoNotify', 'allowTransfer', 'allowQuery'] as const).map((entries): Rule<Config> => ({
    option: MDNS_OPTIONS[entries],
    isBroken: ({ mdns }) => {
      const known = mdns.tsigKeys.map(({ name }) => name);
      return mdns[entries].some(({ key }) => key !== null && !known.includes(key));
    },
    reason: 'allowed behind @: the name of a key in [service:mdns] tsig_keys',
  })),
  ...(['secondaries', 'alsoNotify'] as const).map((entries): Rule<Config> => ({
    option: MDNS_OPTIONS[entries],
    isBroken: ({ mdns }) => new Set(mdns[entries].map(socketOf)).size < mdns[entries].length,
    reason: 'two entries have one address and port; remove one of them',
  })),
  {
    // The NOTIFY to the second entry would count for the first, which has to prove its serial.
    option: MDNS_OPTIONS.alsoNotify,
    isBroken: ({ mdns: { secondaries, alsoNotify } }) => {
      const asked = new Set(secondaries.map(socketOf));
      return alsoNotify.some((server) => asked.has(socketOf(server)));
    },
    reason: 'an entry is in [service:mdns] secondaries too, which are notified anyway; remove it here',
  },
];

/** One text for all spellings of an address, also of an IPv4 address inside IPv6 (RFC 4291 §2.5.5.2). */
function socketOf({ address, port }: NotifiedServer): string {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return `${new SocketAddress({ address, family }).address.replace(/^::ffff:(?=\d+\.)/, '')} ${port}`;
}

/** Of the name server in one process. */
export type NameServerLimits = ValuesOf<(typeof MDNS_OPTIONS)['limits']>;

/** What publishing needs of the configuration. */
export abstract class PublishingOptions {
  abstract readonly listen: { readonly host: string; readonly port: number };
  /** Octets of disk that one process takes for copies of zones. */
  abstract readonly copySpace: number;
  abstract readonly keys: readonly PublishingKey[];
  /** The name servers of the pool, notified and asked for their serials. */
  abstract readonly servers: readonly NotifiedServer[];
  /** Notified, and not asked. */
  abstract readonly alsoNotified: readonly NotifiedServer[];
  /** Who may ask for zones. */
  abstract readonly access: readonly NetworkAccess[];
  /** Who may ask for records, and for nothing else. */
  abstract readonly readers: readonly NetworkAccess[];
  /** Where the masters of secondary zones may be: addresses and networks; empty: at any public address. */
  abstract readonly masters: readonly string[];
  /** Octets that a zone may have as its masters send it. */
  abstract readonly zoneSize: number;
  /** Name servers that are asked where masters are; empty: those of the system. */
  abstract readonly resolvers: readonly AskedNameServer[];
  /** `null`: there is no catalog zone. */
  abstract readonly catalog: CatalogOptions | null;
  abstract readonly limits: NameServerLimits;
}

/** A secret that two servers share (RFC 8945); its name is in lower case with a final dot. */
export interface PublishingKey {
  readonly name: string;
  readonly algorithm: TsigKey['algorithm'];
  readonly secret: Uint8Array;
}

export interface CatalogOptions {
  /** An absolute name. */
  readonly name: string;
  /** The `group` property of its members (RFC 9432 §4.4.2); `null`: they have none. */
  readonly group: string | null;
}
