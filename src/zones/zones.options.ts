import type { Generation } from './generation.js';
import type { PublicSuffixCorrections } from './names/public-suffixes.js';
import { serverName } from '../config/address-readers.js';
import { inSection } from '../config/option.js';
import { integer, list, orEmpty, ttl } from '../config/readers.js';

/** A century at most; empty: for ever. */
export const keptDays = orEmpty(null, integer(1, 36_500));

export const ZONE_DEFAULTS = inSection('DEFAULT', {
  ttl: { name: 'default_ttl', default: '3600', reader: ttl, meaning: 'ttl of a new domain, in seconds' },
});

export const ZONES_OPTIONS = inSection('service:central', {
  minTtl: {
    name: 'min_ttl',
    default: '',
    reader: orEmpty(null, ttl),
    meaning: 'lowest ttl that a caller who is not admin may set',
  },
  nameServers: {
    name: 'name_servers',
    default: 'ns1.zonewright.invalid.',
    reader: list(serverName),
    meaning: "the service's own name servers, for the SOA and NS records of each domain and for /servers",
  },
});

export const HISTORY_OPTIONS = inSection('service:central', {
  historyDays: {
    name: 'history_days',
    default: '',
    reader: keptDays,
    meaning: 'days for which the history of domains is kept; empty: for ever',
  },
  deletedHistoryDays: {
    name: 'deleted_history_days',
    default: '30',
    reader: keptDays,
    meaning: 'days after its deletion for which the history of a domain is kept; empty: for ever',
  },
});

/** Of the SOA record of each zone. */
export const SOA_OPTIONS = inSection('service:central', {
  refresh: {
    name: 'soa_refresh',
    default: '3600',
    reader: ttl,
    meaning: 'seconds after which a name server asks for the serial by itself',
  },
  retry: {
    name: 'soa_retry',
    default: '600',
    reader: ttl,
    meaning: 'seconds after which it asks again when it had no answer',
  },
  expire: {
    name: 'soa_expire',
    default: '1209600',
    reader: ttl,
    meaning: 'seconds after which it gives up a domain that it could not ask for',
  },
  negativeTtl: {
    name: 'soa_minimum',
    default: '3600',
    reader: ttl,
    meaning: 'seconds for which resolvers remember that a name is not there',
  },
});

/** Corrections of the Public Suffix List. */
export const PUBLIC_SUFFIX_OPTIONS = inSection('service:central', {
  added: {
    name: 'public_suffixes',
    default: '',
    reader: orEmpty([], list(serverName)),
    meaning: 'names that only an admin may make domains of, beside top-level names and the Public Suffix List',
  },
  excepted: {
    name: 'public_suffix_exceptions',
    default: '',
    reader: orEmpty([], list(serverName)),
    meaning: 'top-level names and names of the Public Suffix List that anybody may make a domain of',
  },
});

/** What zones need of the configuration. */
export abstract class ZonesOptions {
  /** ttl in seconds of a zone that is created without one. */
  abstract readonly defaultTtl: number;
  /** What SOA and apex NS are generated from. */
  abstract readonly generation: Generation;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
  abstract readonly publicSuffixes: PublicSuffixCorrections;
  abstract readonly retention: HistoryRetention;
  /** Whether there are name servers that zones of other servers could be handed to. */
  abstract readonly takesSecondaryZones: boolean;
  /** Where the masters of secondary zones may be: addresses and networks; empty: at any public address. */
  abstract readonly masters: readonly string[];
  /** The name of the catalog zone, which no other zone has; `null`: there is none. */
  abstract readonly catalogName: string | null;
}

/** In days; `null`: for ever. */
export interface HistoryRetention {
  readonly historyDays: number | null;
  /** For what is left of a zone, from its deletion on. */
  readonly deletedHistoryDays: number | null;
}
