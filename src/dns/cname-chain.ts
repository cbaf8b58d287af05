import type { ResourceRecord } from './message/message.js';
import type { DomainName } from './name.js';
import { CNAME } from './rdata/name-types.js';

/** Names from the one that was asked to its data. */
export const LONGEST_CHAIN = 8;

/**
 * The CNAME records of an answer that lead on from a name, in order; `null` for a loop or a chain that is too long.
 * @throws RdataError if the RDATA of one is malformed
 */
export function cnamesFrom(answers: readonly ResourceRecord[], name: DomainName): ResourceRecord[] | null {
  const found: ResourceRecord[] = [];
  for (let end = name; found.length < LONGEST_CHAIN;) {
    const alias = answers.find(({ type, owner }) => type === CNAME.code && owner.equals(end));
    if (alias === undefined) return found;
    found.push(alias);
    end = CNAME.values(alias.rdata).target;
  }
  return null;
}
