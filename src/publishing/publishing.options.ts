import type { AskedNameServer } from '../common/network/address-lookup.js';

/** What publishing needs of the configuration. */
export abstract class PublishingOptions {
  abstract readonly listen: { readonly host: string; readonly port: number };
  /** Octets of disk that one process takes for copies of zones. */
  abstract readonly copySpace: number;
  abstract readonly keys: readonly PublishingKey[];
  /** The name servers of the pool, notified and asked for their serials. */
  abstract readonly servers: readonly PoolServer[];
  /** Notified, and not asked. */
  abstract readonly alsoNotified: readonly PoolServer[];
  /** Who may ask for zones. */
  abstract readonly access: readonly TransferAccess[];
  /** Where the masters of secondary zones may be: addresses and networks; empty: at any public address. */
  abstract readonly masters: readonly string[];
  /** Name servers that are asked where masters are; empty: those of the system. */
  abstract readonly resolvers: readonly AskedNameServer[];
  /** `null`: there is no catalog zone. */
  abstract readonly catalog: CatalogOptions | null;
  /** Of the name server in one process. */
  abstract readonly limits: NameServerLimits;
}

export interface NameServerLimits {
  /** TCP connections in all, and of one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Queries under way of one connection. */
  readonly pipelined: number;
  /** Queries under way that have come by UDP. */
  readonly datagrams: number;
  /** In seconds: a connection on which nothing happens, an answer that is not read, and a whole transfer. */
  readonly idleTimeout: number;
  readonly readTimeout: number;
  readonly transferTimeout: number;
}

/** A secret that two servers share (RFC 8945); its name is in lower case with a final dot. */
export interface PublishingKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
  readonly secret: Uint8Array;
}

export interface PoolServer {
  /** An IP address, IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** Name of the key that signs; `null`: nothing is signed. */
  readonly key: string | null;
}

export interface TransferAccess {
  /** An address or a network in CIDR notation. */
  readonly network: string;
  /** Name of the key that must have signed; `null`: the address is enough. */
  readonly key: string | null;
}

export interface CatalogOptions {
  /** An absolute name. */
  readonly name: string;
  /** The `group` property of its members (RFC 9432 §4.4.2); `null`: they have none. */
  readonly group: string | null;
}
