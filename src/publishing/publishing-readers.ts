import { isIP } from 'node:net';

import { listenAddress, network } from '../config/address-readers.js';
import { reader } from '../config/readers.js';

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
}

const ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
/** Labels of letters, digits, `-` and `_`, compared without case; a final dot may be written. */
const KEY_NAME = /^(?=.{1,253}\.?$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** RFC 8945 §5.2 asks for no less than the hash; shorter ones can be guessed. In octets. */
const SHORTEST_SECRET = 16;

/** As `tsig-keygen` and `keymgr` make them (RFC 8945). */
export const tsigKey = reader(
  `name:algorithm:base64, the algorithm one of ${ALGORITHMS.join(', ')}, the secret of at least ${SHORTEST_SECRET} octets`,
  (text): TsigKey | undefined => {
    const [name = '', written = '', base64 = '', ...rest] = text.split(':');
    const algorithm = ALGORITHMS.find((known) => known === written.toLowerCase());
    if (rest.length > 0 || algorithm === undefined || !KEY_NAME.test(name) || !BASE64.test(base64)) return undefined;
    const isLong = Buffer.byteLength(base64, 'base64') >= SHORTEST_SECRET;
    return isLong ? { name: keyName(name), algorithm, secret: base64 } : undefined;
  },
);

/** A name server of the pool. */
export const notifiedServer = reader(
  'address:port or address:port@key as in 192.0.2.53:53@transfer or [2001:db8::53]:53',
  (text): NotifiedServer | undefined => {
    const [address, key] = splitKey(text);
    const at = listenAddress.read(address);
    if (at === undefined || at.port === 0 || isIP(at.host) === 0 || key === undefined) return undefined;
    return { address: at.host, port: at.port, key };
  },
);

/** Who may ask for zones. */
export const networkAccess = reader(
  'address or network, with @key where the key is needed as well, as in 192.0.2.0/24@transfer',
  (text): NetworkAccess | undefined => {
    const [address, key] = splitKey(text);
    const from = network.read(address);
    return from === undefined || key === undefined ? undefined : { network: from, key };
  },
  (text) => network.whyNot?.(splitKey(text)[0]),
);

/** What stands before `@`, and the name of the key: `null` without one, `undefined` where it is no name. */
function splitKey(text: string): [string, string | null | undefined] {
  const at = text.indexOf('@');
  if (at < 0) return [text, null];
  const key = text.slice(at + 1);
  return [text.slice(0, at), KEY_NAME.test(key) ? keyName(key) : undefined];
}

/** In lower case with a final dot, so that two spellings are one name. */
function keyName(text: string): string {
  return `${text.toLowerCase().replace(/\.$/, '')}.`;
}
