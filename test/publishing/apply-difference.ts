import { SOA } from '../../src/dns/rdata/index.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';

/**
 * Applies an IXFR to a secondary's copy (RFC 1995 §4). Strict: removed records must exist, added ones must not, and
 * each step runs in order.
 * @param held records of the copy, each once
 * @returns the resulting records, sorted
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
