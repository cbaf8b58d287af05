import { ServiceError } from '../../common/service-error.js';
import { DomainName, NameError } from '../../dns/name.js';
import { parseDomainName } from '../../dns/owner-name.js';
import { keysOnPath, plainNameOfKey } from '../../dns/name-key.js';
import type { RequestedRestrictions } from './token-scope.js';

const CHALLENGE = '_acme-challenge';
const WILDCARD = /^\*\./;

/**
 * Permits the TXT record sets of RFC 8555 §8.4 in any zone. A wildcard needs the record of its parent name.
 * @param hosts with or without the final dot @throws ServiceError `invalid_object`
 */
export function acmeRestrictions(hosts: readonly string[]): RequestedRestrictions {
  const challenges = hosts.map((host) => challengeOf(host));
  const domains = challenges.flatMap(({ key }) => keysOnPath('', key).slice(1).map(plainNameOfKey));
  return {
    domains: [...new Set(domains)],
    names: challenges.map(({ key }) => plainNameOfKey(key)),
    types: ['TXT'],
    actions: ['create', 'delete'],
  };
}

function challengeOf(host: string): DomainName {
  const name = `${host.replace(WILDCARD, '').replace(/\.$/, '')}.`;
  try {
    return parseDomainName(`${CHALLENGE}.${name}`);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw ServiceError.ofField('invalid_object', 'acme', 'format', `${error.message}.`);
  }
}
