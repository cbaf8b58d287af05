import type { AskedNameServer } from '../common/network/address-lookup.js';
import { nameServerAddress, network } from '../config/address-readers.js';
import type { Config } from '../config/config.js';
import { type Rule, inSection, option } from '../config/option.js';
import { boolean, integer, list, orEmpty } from '../config/readers.js';

const WEEK = 604_800;

export const ALIAS_OPTIONS = inSection('service:alias', {
  enabled: option(boolean, 'False', 'offer the record type ALIAS and follow the addresses of its targets'),
  resolver: option(
    orEmpty(null, nameServerAddress),
    '',
    'resolver for the targets, over TCP; empty: that of [service:dnssec]',
  ),
  minInterval: option(integer(1, WEEK), '30', 'seconds between two queries for a target at least, if its TTL is lower'),
  maxInterval: option(integer(1, WEEK), '3600', 'seconds between two queries for a target at most'),
  ttl: option(integer(1, WEEK), '300', 'TTL in seconds of the published addresses if the ALIAS has none of its own'),
  keepMissing: option(
    integer(0, WEEK),
    '3600',
    'seconds for which the last addresses of a target stay after the resolver says that it has none',
  ),
  failingAfter: option(
    integer(0, WEEK),
    '86400',
    'seconds without a usable answer after which the event of a failing target is sent; its last addresses stay',
  ),
  allowedNetworks: option(
    orEmpty([], list(network)),
    '',
    'addresses and networks that are published although they are not public; empty: none',
  ),
  maxQueries: option(integer(1, 1000), '32', 'targets that are resolved at the same time'),
});

export const ALIAS_RULES: readonly Rule<Config>[] = [
  {
    option: ALIAS_OPTIONS.enabled,
    isBroken: ({ alias, dnssec }) => alias.enabled && alias.resolver === null && dnssec.resolver === null,
    reason: 'needs a resolver, here or in [service:dnssec]',
  },
  {
    option: ALIAS_OPTIONS.minInterval,
    isBroken: ({ alias }) => alias.minInterval > alias.maxInterval,
    reason: 'must not be longer than max_interval',
  },
];

export abstract class AliasesOptions {
  abstract readonly resolver: AskedNameServer;
  /** In seconds, like all times. */
  abstract readonly minInterval: number;
  abstract readonly maxInterval: number;
  abstract readonly ttl: number;
  abstract readonly keepMissing: number;
  abstract readonly failingAfter: number;
  /** Networks that are not public, in CIDR notation. */
  abstract readonly allowedNetworks: readonly string[];
  abstract readonly maxQueries: number;
}
