import { SOA } from '../../src/dns/rdata/index.js';
import type { ResourceRecord } from '../../src/dns/message/resource-record.js';

/**
 * What a secondary makes of its copy (RFC 1995 §4). It takes nothing on trust: what is removed must be there, what is
 * added must not, and each is done in its place.
 * @param held records of the copy, each once
 * @returns the records of the copy that comes out, sorted
 */
export function applyDifference(held: readonly ResourceRecord[], answer: readonly ResourceRecord[]): string[] {
  const marks = answer.flatMap(({ type }, at) => (type === SOA.code ? [at] : []));
  const [first = -1, start = -1, middle = -1, last = -1] = marks;
  if (marks.length !== 4 || first !== 0 || start !== 1 || last !== answer.length - 1)
    throw new Error(`SOA records at ${marks.join(', ')} of ${answer.length}`);
  const [newest, , latest, end] = marks.map((at) => textOf(answer[at]!));
  if (newest !== latest || newest !== end) throw new Error('the SOA records of the new serial differ');
  const records = new Set(held.map(textOf));
  for (const record of answer.slice(start, middle).map(textOf))
    if (!records.delete(record)) throw new Error(`removed, and not there: ${record}`);
  for (const record of answer.slice(middle, last).map(textOf)) {
    if (records.has(record)) throw new Error(`added, and there already: ${record}`);
    records.add(record);
  }
  return [...records].sort();
}

/** Octet for octet: the owner name as it is spelled, too. */
export function textOf({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.toString()} ${ttl} ${type} ${Buffer.from(rdata).toString('hex')}`;
}
