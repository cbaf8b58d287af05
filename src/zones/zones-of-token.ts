import { zonesOf } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Condition } from '../database/filtered-pages.js';
import { DomainName } from '../dns/name.js';

/** That a zone is one of those that the caller's token is for, on the columns of `zones`; nothing where it is for all. */
export function zonesOfToken(caller: Caller): Condition[] {
  const names = zonesOf(caller);
  if (names === null) return [];
  const marks = names.map(() => '?').join(', ');
  const values = names.map((name) => DomainName.parse(name).key);
  return [{ sql: `name_key IN (${marks})`, values }];
}
