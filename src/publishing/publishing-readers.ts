import { isIP } from 'node:net';
import { listenAddress, network } from '../config/address-readers.js';
import { reader } from '../config/readers.js';
import {
  readAlgorithm,
  readKeyName,
  readSecret,
  SHORTEST_SECRET,
  TSIG_ALGORITHMS,
} from '../dns/message/tsig/tsig-key.js';

/** The key's name is in lower case and absolute. */
export interface TsigKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
  /** in base64; never shown */
  readonly secret: string;
}

export interface NotifiedServer {
  /** IPv6 without brackets */
  readonly address: string;
  readonly port: number;
  /** name of a key; null: messages are not signed */
  readonly key: string | null;
}

export interface NetworkAccess {
  /** address or CIDR */
  readonly network: string;
  /** name of the key that must sign; null: the address is enough */
  readonly key: string | null;
  /** the client must use TLS, with a certificate of this name unless it is null */
  readonly tls?: { readonly name: string | null };
}

/** Primaries that are asked over TLS alone. */
export interface TlsPrimary {
  /** address or CIDR */
  readonly network: string;
  /** of the certificate; null: `pin` proves the primary */
  readonly name: string | null;
  /** SHA-256 of the public key (SPKI) in base64, or null */
  readonly pin: string | null;
}

/** As `tsig-keygen` and `keymgr` print it (RFC 8945). */
export const tsigKey = reader(
  `name:algorithm:base64, the algorithm one of ${TSIG_ALGORITHMS.join(', ')}, the secret of at least ${SHORTEST_SECRET} octets`,
  (text): TsigKey | undefined => {
    const [name = '', written = '', base64 = '', ...rest] = text.split(':');
    const [known, algorithm] = [readKeyName(name), readAlgorithm(written)];
    if (rest.length > 0 || algorithm === null || known === null || readSecret(base64) === null) return undefined;
    return { name: known, algorithm, secret: base64 };
  },
);

export const notifiedServer = reader(
  'address:port or address:port@key as in 192.0.2.53:53@transfer or [2001:db8::53]:53',
  (text): NotifiedServer | undefined => {
    const [address, key] = splitKey(text);
    const at = listenAddress.read(address);
    if (at === undefined || at.port === 0 || isIP(at.host) === 0 || key === undefined) return undefined;
    return { address: at.host, port: at.port, key };
  },
);

export const networkAccess = reader(
  'address or network, with @key where the key is needed as well, as in 192.0.2.0/24@transfer, @tls where TLS is needed, or' +
    ' @tls:name where TLS and a client certificate of that name are',
  (text): NetworkAccess | undefined => {
    const [, over, name = null] = /^(.*)@tls(?::([a-z0-9.-]+))?$/i.exec(text) ?? [];
    if (over !== undefined) {
      const from = network.read(over);
      return from === undefined ? undefined : { network: from, key: null, tls: { name: name?.toLowerCase() ?? null } };
    }
    const [address, key] = splitKey(text);
    const from = network.read(address);
    return from === undefined || key === undefined ? undefined : { network: from, key };
  },
  (text) => network.whyNot?.(splitKey(text)[0]),
);

const PIN_OCTETS = 32;

export const tlsPrimary = reader(
  'address or network with #name of the certificate or #sha256:base64 of its public key, as in 192.0.2.53#ns1.example.net',
  (text): TlsPrimary | undefined => {
    const [, address = '', pin = null, name = null] =
      /^([^#]+)#(?:sha256:([A-Za-z0-9+/]{43}=)|([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?))$/i.exec(text) ?? [];
    const from = network.read(address);
    const isPin = pin === null || Buffer.from(pin, 'base64').length === PIN_OCTETS;
    return from === undefined || !isPin ? undefined : { network: from, name, pin };
  },
  (text) => network.whyNot?.(text.replace(/#.*/, '')),
);

/** Splits at `@` and reads the key name: `null` without one, `undefined` if invalid. */
function splitKey(text: string): [string, string | null | undefined] {
  const at = text.indexOf('@');
  if (at < 0) return [text, null];
  return [text.slice(0, at), readKeyName(text.slice(at + 1)) ?? undefined];
}

/** Formats a server for tables, answers and the log: `192.0.2.53:53`, `[2001:db8::53]:53`. */
export function serverLabel({ address, port }: NotifiedServer): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
