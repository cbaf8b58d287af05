import type { Generation } from '../plugins/change-listener.js';
import type { PublicSuffixCorrections } from './names/public-suffixes.js';
import { serverName } from '../config/address-readers.js';
import { inSection, option } from '../config/option.js';
import { integer, list, orEmpty, ttl } from '../config/readers.js';

/** At most a century; empty: unlimited. */
export const keptDays = orEmpty(null, integer(1, 36_500));

export const ZONE_DEFAULTS = inSection('DEFAULT', {
  ttl: option(ttl, '3600', 'ttl of a new domain, in seconds', { name: 'default_ttl' }),
});

export const ZONES_OPTIONS = inSection('service:central', {
  minTtl: option(orEmpty(null, ttl), '', 'lowest ttl that a caller who is not admin may set'),
  nameServers: option(
    list(serverName),
    'ns1.zonewright.invalid.',
    "the service's own name servers, for the SOA and NS records of each domain and for /servers",
  ),
});

export const HISTORY_OPTIONS = inSection('service:central', {
  historyDays: option(keptDays, '', 'days for which the history of domains is kept; empty: for ever'),
  deletedHistoryDays: option(
    keptDays,
    '30',
    'days after its deletion for which the history of a domain is kept; empty: for ever',
  ),
});

export const SOA_OPTIONS = inSection('service:central', {
  refresh: option(ttl, '3600', 'seconds after which a name server asks for the serial by itself', {
    name: 'soa_refresh',
  }),
  retry: option(ttl, '600', 'seconds after which it asks again when it had no answer', { name: 'soa_retry' }),
  expire: option(ttl, '1209600', 'seconds after which it gives up a domain that it could not ask for', {
    name: 'soa_expire',
  }),
  negativeTtl: option(ttl, '3600', 'seconds for which resolvers remember that a name is not there', {
    name: 'soa_minimum',
  }),
});

export const PUBLIC_SUFFIX_OPTIONS = inSection('service:central', {
  added: option(
    orEmpty([], list(serverName)),
    '',
    'names that only an admin may make domains of, beside top-level names and the Public Suffix List',
    { name: 'public_suffixes' },
  ),
  excepted: option(
    orEmpty([], list(serverName)),
    '',
    'top-level names and names of the Public Suffix List that anybody may make a domain of',
    { name: 'public_suffix_exceptions' },
  ),
});

export abstract class ZonesOptions {
  abstract readonly defaultTtl: number;
  abstract readonly generation: Generation;
  /** Seconds, for callers without the admin role; `null`: none. */
  abstract readonly minTtl: number | null;
  abstract readonly publicSuffixes: PublicSuffixCorrections;
  abstract readonly retention: HistoryRetention;
  /** Whether name servers are configured that can serve secondary zones. */
  abstract readonly takesSecondaryZones: boolean;
  /** Allowed addresses and networks of primaries; empty: all public addresses. */
  abstract readonly masters: readonly string[];
  /** Name of the catalog zone, which no other zone may have; `null`: none. */
  abstract readonly catalogName: string | null;
}

/** Days; `null`: unlimited. */
export interface HistoryRetention {
  readonly historyDays: number | null;
  /** Days after the deletion of the zone. */
  readonly deletedHistoryDays: number | null;
}
