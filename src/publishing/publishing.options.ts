import { isIPv6, SocketAddress } from 'node:net';
import type { AskedNameServer } from '../common/network/address-lookup.js';
import { listenAddress, nameServerAddress, network, serverName } from '../config/address-readers.js';
import type { Config } from '../config/config.js';
import { type Rule, inSection, option, type ValuesOf } from '../config/option.js';
import { boolean, integer, list, orEmpty, size, text } from '../config/readers.js';
import {
  type NetworkAccess,
  networkAccess,
  type NotifiedServer,
  notifiedServer,
  type TlsPrimary,
  tlsPrimary,
  type TsigKey,
  tsigKey,
} from './publishing-readers.js';

export const MDNS_OPTIONS = {
  ...inSection('service:mdns', {
    enabled: option(boolean, 'False', 'answer name servers and notify them of changes'),
    listen: option(
      listenAddress,
      '127.0.0.1:5354',
      'address and port for DNS over UDP and TCP; port 0 means any free port, which is logged',
    ),
    tlsListen: option(
      orEmpty(null, listenAddress),
      '',
      'address and port for DNS over TLS (RFC 9103), such as 0.0.0.0:853; empty: none',
    ),
    tlsCertificate: option(
      orEmpty(null, text),
      '',
      'file with the certificate chain of tls_listen in PEM; read again when it changes',
    ),
    tlsKey: option(orEmpty(null, text), '', 'file with the private key of tls_certificate in PEM'),
    tlsClientCa: option(
      orEmpty(null, text),
      '',
      'file with the CA certificates in PEM that client certificates of allow_transfer and allow_query are verified by',
    ),
    copySpace: option(
      integer(1, 1_048_576),
      '256',
      'MiB of disk in spool_directory that one process takes for domains as they are transferred',
    ),
    tsigKeys: option(
      orEmpty([], list(tsigKey)),
      '',
      'keys that sign messages between this service and name servers, as name:algorithm:base64',
      { secret: true },
    ),
    secondaries: option(
      orEmpty([], list(notifiedServer)),
      '',
      'name servers of the pool: each is notified of changes, signed with its key, and asked for its serials',
    ),
    alsoNotify: option(
      orEmpty([], list(notifiedServer)),
      '',
      'servers that are notified of changes and not asked whether they have them',
    ),
    allowTransfer: option(
      orEmpty([], list(networkAccess)),
      '',
      'who may ask for domains: address[/bits], with @key only when signed by that key, with @tls only over TLS, with' +
        ' @tls:name only with a client certificate of that name; empty: the secondaries',
    ),
    updates: option(boolean, 'False', 'take changes of zones by DNS UPDATE (RFC 2136), signed with update keys'),
    allowQuery: option(
      orEmpty([], list(networkAccess)),
      '',
      'who may ask for records, as clients of DNS UPDATE do: address[/bits], with @key only when signed by that key',
    ),
    allowMasters: option(
      orEmpty([], list(network)),
      '',
      'where the masters of SECONDARY zones may be; empty: at any public address',
    ),
    tlsMasters: option(
      orEmpty([], list(tlsPrimary)),
      '',
      'masters that are asked over TLS alone (RFC 9103): address[/bits]#name with a certificate of that name, or' +
        ' address[/bits]#sha256:base64 with that public key',
    ),
    tlsMastersCa: option(
      orEmpty(null, text),
      '',
      'file with the CA certificates in PEM that certificates of tls_masters are verified by; empty: those of Node.js',
    ),
    resolvers: option(
      orEmpty([], list(nameServerAddress)),
      '',
      'name servers that are asked for the addresses of masters; empty: those of the system',
    ),
    zoneSize: option(size, '8 MiB', 'octets of a SECONDARY zone as its masters send it; a larger one is not taken', {
      name: 'max_zone_size',
    }),
    laggingAfter: option(
      integer(1, 86_400),
      '60',
      'seconds after which a change that a name server lacks is told as an event: the domain lags',
    ),
    catalogZone: option(
      orEmpty(null, serverName),
      '',
      'name of the catalog zone (RFC 9432), by which name servers add and drop domains; empty: none',
    ),
    catalogGroup: option(
      orEmpty(null, text),
      '',
      "the group property of the catalog zone's members, which names a template; empty: none",
    ),
  }),
  limits: inSection('service:mdns', {
    connections: option(
      integer(1, 100_000),
      '1000',
      'TCP connections of name servers to one process; beyond them the address that has most loses one',
      { name: 'max_connections' },
    ),
    connectionsPerAddress: option(
      integer(1, 100_000),
      '100',
      'TCP connections of one address to one process; one more closes the one that has been idle for longest',
      { name: 'max_connections_per_address' },
    ),
    pipelined: option(
      integer(1, 100_000),
      '64',
      'queries of one connection under way; more are read when one of them is answered',
      { name: 'max_pipelined_queries' },
    ),
    datagrams: option(
      integer(1, 100_000),
      '1000',
      'queries by UDP under way in one process; more are dropped, and their senders ask again',
      { name: 'max_datagrams' },
    ),
    idleTimeout: option(
      integer(1, 3600),
      '10',
      'seconds after which a connection is closed on which no query has come and none is answered',
    ),
    readTimeout: option(
      integer(1, 3600),
      '30',
      'seconds in which a name server takes 16 KiB a second of an answer that waits for it, or is cut off',
    ),
    transferTimeout: option(
      integer(1, 86_400),
      '600',
      'seconds after which a transfer is cut off that is still under way',
    ),
  }),
};

export const MDNS_RULES: readonly Rule<Config>[] = [
  {
    option: MDNS_OPTIONS.tlsListen,
    isBroken: ({ mdns: { tlsListen, tlsCertificate, tlsKey } }) =>
      tlsListen !== null && (tlsCertificate === null || tlsKey === null),
    reason: 'needs [service:mdns] tls_certificate and tls_key',
  },
  ...(['allowTransfer', 'allowQuery'] as const).map((entries): Rule<Config> => ({
    option: MDNS_OPTIONS[entries],
    isBroken: ({ mdns }) =>
      mdns[entries].some(({ tls }) =>
        tls === undefined ? false : mdns.tlsListen === null || (tls.name !== null && mdns.tlsClientCa === null),
      ),
    reason: '@tls needs [service:mdns] tls_listen, and @tls:name tls_client_ca as well',
  })),
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

/** Normalizes an address, including IPv4-mapped IPv6 (RFC 4291 §2.5.5.2). */
function socketOf({ address, port }: NotifiedServer): string {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return `${new SocketAddress({ address, family }).address.replace(/^::ffff:(?=\d+\.)/, '')} ${port}`;
}

export type NameServerLimits = ValuesOf<(typeof MDNS_OPTIONS)['limits']>;

export abstract class PublishingOptions {
  abstract readonly listen: { readonly host: string; readonly port: number };
  /** DNS over TLS; `null`: none. */
  abstract readonly tls: NameServerTls | null;
  /** Disk space for rendered zones per process, in octets. */
  abstract readonly copySpace: number;
  abstract readonly keys: readonly PublishingKey[];
  /** Name servers that are notified and asked for their serials. */
  abstract readonly servers: readonly NotifiedServer[];
  /** Servers that are only notified. */
  abstract readonly alsoNotified: readonly NotifiedServer[];
  /** Clients that may transfer zones. */
  abstract readonly access: readonly NetworkAccess[];
  /** Clients that may only query records. */
  abstract readonly readers: readonly NetworkAccess[];
  /** Permitted addresses and networks of primaries; empty: any public address. */
  abstract readonly masters: readonly string[];
  /** Primaries that are asked over TLS alone. */
  abstract readonly tlsPrimaries: readonly TlsPrimary[];
  /** Path of a PEM file; `null`: the CA certificates of Node.js. */
  abstract readonly tlsPrimariesCa: string | null;
  /** Size limit of a transferred zone, in octets. */
  abstract readonly zoneSize: number;
  /** Name servers that resolve names of primaries; empty: the system resolver. */
  abstract readonly resolvers: readonly AskedNameServer[];
  abstract readonly catalog: CatalogOptions | null;
  abstract readonly limits: NameServerLimits;
}

export interface NameServerTls {
  readonly listen: { readonly host: string; readonly port: number };
  /** Paths of PEM files. */
  readonly certificate: string;
  readonly key: string;
  /** `null`: clients are not asked for certificates. */
  readonly clientCa: string | null;
}

/** A TSIG key (RFC 8945); its name is in lower case with a final dot. */
export interface PublishingKey extends Omit<TsigKey, 'secret'> {
  readonly secret: Uint8Array;
}

export interface CatalogOptions {
  /** Absolute. */
  readonly name: string;
  /** The `group` property of its members (RFC 9432 §4.4.2), or `null`. */
  readonly group: string | null;
}
