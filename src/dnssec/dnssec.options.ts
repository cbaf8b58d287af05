import { type AskedNameServer } from '../common/network/address-lookup.js';
import { nameServerAddress, network, serverName } from '../config/address-readers.js';
import type { Config } from '../config/config.js';
import type { Rule } from '../config/cross-checks.js';
import { inSection } from '../config/option.js';
import { boolean, integer, list, orEmpty, reader } from '../config/readers.js';
import { SIGNING_ALGORITHMS } from '../dns/dnssec/algorithms.js';
import type { Denial } from '../dns/dnssec/denial.js';

const ENCRYPTION_KEY_OCTETS = 32;

const encryptionKey = reader(`base64 of ${ENCRYPTION_KEY_OCTETS} random octets`, (text) => {
  const octets = Buffer.from(text, 'base64');
  return octets.length === ENCRYPTION_KEY_OCTETS && octets.toString('base64') === text ? text : undefined;
});

/** Its number. */
const algorithm = reader(
  `one of ${SIGNING_ALGORITHMS.map(({ mnemonic }) => mnemonic).join(', ')}`,
  (text) => SIGNING_ALGORITHMS.find(({ mnemonic }) => mnemonic === text.toUpperCase())?.number,
);

const denial = reader('nsec or nsec3', (text): Denial | undefined =>
  text === 'nsec' || text === 'nsec3' ? text : undefined,
);

const SIGNAL = '_signal.';
const signalZone = reader('_signal. before a host name as in _signal.ns1.example.org.', (text) =>
  text.startsWith(SIGNAL) && serverName.read(text.slice(SIGNAL.length)) !== undefined ? text : undefined,
);

/** How zones are signed. */
export const DNSSEC_OPTIONS = inSection('service:dnssec', {
  enabled: {
    name: 'enabled',
    default: 'False',
    reader: boolean,
    meaning: 'domains can be signed (DNSSEC), and those that are signed are kept so',
  },
  encryptionKeys: {
    name: 'key_encryption_keys',
    default: '',
    reader: orEmpty([], list(encryptionKey)),
    meaning:
      'what the keys of domains are encrypted with in the database, in base64: new ones with the first, others are read. A' +
      ' process without any serves signed domains and signs none',
    secret: true,
  },
  algorithm: {
    name: 'algorithm',
    default: 'ECDSAP256SHA256',
    reader: algorithm,
    meaning: 'algorithm of new keys where a request names none',
  },
  denial: {
    name: 'denial',
    default: 'nsec',
    reader: denial,
    meaning: 'how signed domains prove that a name is not there, where a request does not say it',
  },
  validity: {
    name: 'validity',
    default: '28',
    reader: integer(7, 180),
    meaning: 'days for which a signature is valid',
  },
  refresh: {
    name: 'refresh',
    default: '17',
    reader: integer(2, 170),
    meaning: 'days that a signature has left at least when it is renewed',
  },
  maxTtl: {
    name: 'max_ttl',
    default: '172800',
    reader: integer(60, 604_800),
    meaning: 'longest ttl in seconds with which records of signed domains are served',
  },
  resolver: {
    name: 'resolver',
    default: '',
    reader: orEmpty(null, nameServerAddress),
    meaning:
      'validating resolver that is asked for DS and for the name servers of parent zones, which are then asked too; empty:' +
      ' people say what a parent zone has',
  },
  parents: {
    name: 'allow_parents',
    default: '',
    reader: orEmpty([], list(network)),
    meaning: 'where the name servers of parent zones may be; empty: at any public address',
  },
  signalZones: {
    name: 'signal_zones',
    default: '',
    reader: orEmpty([], list(signalZone)),
    meaning:
      'domains of this service, each _signal. before the name of a name server, that take CDS and CDNSKEY of domains without a' +
      ' DS (RFC 9615)',
  },
});

/** Renewals are spread over so many days before `refresh`. */
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
    // A name server that has lost this service serves what it has until soa_expire is over.
    option: DNSSEC_OPTIONS.refresh,
    isBroken: ({ dnssec: { enabled, refresh, maxTtl }, central: { soaTimers } }) =>
      enabled && refresh * DAY <= soaTimers.expire + maxTtl + HOUR,
    reason: 'must be longer than soa_expire, max_ttl and one hour together: otherwise expired signatures are served',
  },
  {
    option: DNSSEC_OPTIONS.enabled,
    isBroken: ({ dnssec, mdns }) =>
      dnssec.enabled && !mdns.enabled && mdns.secondaries.length === 0 && mdns.allowTransfer.length === 0,
    reason: 'needs [service:mdns]: signed domains are on name servers that transfer them',
  },
];

/** What signing needs of the configuration. */
export abstract class DnssecOptions {
  /** New keys are sealed with the first; without any, nothing is signed. */
  abstract readonly encryptionKeys: readonly Uint8Array[];
  /** Of new keys, by its number. */
  abstract readonly algorithm: number;
  abstract readonly denial: Denial;
  /** In seconds, as all times of signatures. */
  abstract readonly validity: number;
  abstract readonly refresh: number;
  abstract readonly maxTtl: number;
  /** It validates; `null`: parent zones of others are not looked at. */
  abstract readonly resolver: AskedNameServer | null;
  /** Where name servers of parent zones may be: addresses and networks; empty: at any public address. */
  abstract readonly parents: readonly string[];
  /** Absolute names. */
  abstract readonly signalZones: readonly string[];
}
