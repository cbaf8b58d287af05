import { type AskedNameServer } from '../common/network/address-lookup.js';
import { nameServerAddress, network, serverName } from '../config/address-readers.js';
import type { Config } from '../config/config.js';
import { type Rule, inSection, option } from '../config/option.js';
import { boolean, integer, list, orEmpty, reader, secret, text } from '../config/readers.js';
import { NAMES_OF_NEW_KEYS, numberForNewKeys, RSA_BITS } from '../dns/dnssec/algorithms.js';
import type { KeyLifetimes } from './rollovers/key-lifetimes.js';
import type { Denial } from '../dns/dnssec/denial.js';

const ENCRYPTION_KEY_OCTETS = 32;

const encryptionKey = reader(`base64 of ${ENCRYPTION_KEY_OCTETS} random octets`, (text) => {
  const octets = Buffer.from(text, 'base64');
  return octets.length === ENCRYPTION_KEY_OCTETS && octets.toString('base64') === text ? text : undefined;
});

const algorithm = reader(`one of ${NAMES_OF_NEW_KEYS.join(', ')}`, numberForNewKeys);

const rsaBits = reader('2048, 3072 or 4096', (text) => RSA_BITS.find((bits) => String(bits) === text));

const denial = reader('nsec or nsec3', (text): Denial | undefined =>
  text === 'nsec' || text === 'nsec3' ? text : undefined,
);

const SIGNAL = '_signal.';
const signalZone = reader('_signal. before a host name as in _signal.ns1.example.org.', (text) =>
  text.startsWith(SIGNAL) && serverName.read(text.slice(SIGNAL.length)) !== undefined ? text : undefined,
);

const lifetime = orEmpty(null, integer(14, 3650));
const lifetimeOf = (keys: string): string =>
  `age of ${keys} in days at which their rollover begins; empty: on request only`;

export const DNSSEC_OPTIONS = inSection('service:dnssec', {
  enabled: option(boolean, 'False', 'sign domains (DNSSEC) and keep signed domains valid'),
  encryptionKeys: option(
    orEmpty([], list(encryptionKey)),
    '',
    'base64 keys that encrypt the private keys of domains in the database; the first encrypts new keys, all decrypt. A process' +
      ' without any serves signed domains but does not sign',
    { name: 'key_encryption_keys', secret: true },
  ),
  algorithm: option(algorithm, 'ECDSAP256SHA256', 'default algorithm of new keys'),
  rsaBits: option(rsaBits, '2048', 'bits of new RSA keys: 2048, 3072 or 4096'),
  denial: option(denial, 'nsec', 'default denial of existence of signed domains'),
  validity: option(integer(7, 180), '28', 'validity of a signature in days'),
  refresh: option(integer(2, 170), '17', 'days before the expiry of a signature at which it is renewed at the latest'),
  maxTtl: option(integer(60, 604_800), '172800', 'maximum TTL of records of signed domains in seconds'),
  csk: option(lifetime, '', lifetimeOf('CSKs'), { name: 'csk_lifetime' }),
  ksk: option(lifetime, '', lifetimeOf('KSKs'), { name: 'ksk_lifetime' }),
  zsk: option(lifetime, '', lifetimeOf('ZSKs'), { name: 'zsk_lifetime' }),
  tokenLibrary: option(
    orEmpty(null, text),
    '',
    'path of a PKCS #11 library: private keys of new keys are made in its token, and never leave it; empty: in the database',
    { name: 'pkcs11_library' },
  ),
  token: option(orEmpty(null, text), '', 'label of that token', { name: 'pkcs11_token' }),
  tokenPin: option(orEmpty(null, secret), '', 'PIN of that token', { name: 'pkcs11_pin', secret: true }),
  tokenSessions: option(integer(1, 64), '4', 'concurrent sessions with that token', { name: 'pkcs11_sessions' }),
  resolver: option(
    orEmpty(null, nameServerAddress),
    '',
    'validating resolver for DS records and the name servers of parent zones, which Zonewright queries too; empty: users' +
      ' report the DS of parent zones',
  ),
  parents: option(
    orEmpty([], list(network)),
    '',
    'allowed networks of the name servers of parent zones; empty: any public address',
    { name: 'allow_parents' },
  ),
  signalZones: option(
    orEmpty([], list(signalZone)),
    '',
    'domains of this service named _signal. plus a name server, which receive CDS and CDNSKEY of domains without a DS' +
      ' (RFC 9615)',
  ),
});

/** Renewals spread over this time before `refresh`. */
export const SPREAD_DAYS = 4;
const DAY = 86_400;
const HOUR = 3600;

export const DNSSEC_RULES: readonly Rule<Config>[] = [
  {
    option: DNSSEC_OPTIONS.refresh,
    isBroken: ({ dnssec: { enabled, refresh, validity } }) => enabled && refresh + SPREAD_DAYS >= validity,
    reason: `must be more than ${SPREAD_DAYS} days below validity: renewals are spread over that time`,
  },
  {
    // A name server that cannot reach this service serves its copy until soa_expire.
    option: DNSSEC_OPTIONS.refresh,
    isBroken: ({ dnssec: { enabled, refresh, maxTtl }, central: { soaTimers } }) =>
      enabled && refresh * DAY <= soaTimers.expire + maxTtl + HOUR,
    reason: 'must be longer than soa_expire, max_ttl and one hour together: otherwise expired signatures are served',
  },
  {
    option: DNSSEC_OPTIONS.tokenLibrary,
    isBroken: ({ dnssec: { tokenLibrary, token, tokenPin } }) =>
      tokenLibrary !== null && (token === null || tokenPin === null),
    reason: 'needs pkcs11_token and pkcs11_pin',
  },
  {
    option: DNSSEC_OPTIONS.enabled,
    isBroken: ({ dnssec, mdns }) =>
      dnssec.enabled && !mdns.enabled && mdns.secondaries.length === 0 && mdns.allowTransfer.length === 0,
    reason: 'needs [service:mdns]: name servers get signed domains by transfer',
  },
];

/** A PKCS #11 token. */
export interface TokenAccess {
  readonly library: string;
  readonly label: string;
  readonly pin: string;
  readonly sessions: number;
}

export abstract class DnssecOptions {
  /** The first encrypts new keys. Without keys and without a token the process signs nothing. */
  abstract readonly encryptionKeys: readonly Uint8Array[];
  abstract readonly algorithm: number;
  /** Of new RSA keys. */
  abstract readonly rsaBits: number;
  abstract readonly denial: Denial;
  /** In seconds, like all signature times. */
  abstract readonly validity: number;
  abstract readonly refresh: number;
  abstract readonly maxTtl: number;
  abstract readonly lifetimes: KeyLifetimes;
  /** The validating resolver; `null`: foreign parent zones are not polled. */
  abstract readonly resolver: AskedNameServer | null;
  /** Allowed addresses and networks of parent name servers; empty: any public address. */
  abstract readonly parents: readonly string[];
  /** Absolute names. */
  abstract readonly signalZones: readonly string[];
  /** `null`: private keys are in the database. */
  abstract readonly token: TokenAccess | null;
}
