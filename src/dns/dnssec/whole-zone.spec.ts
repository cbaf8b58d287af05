import { hash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { SortedHashes } from './whole-zone.js';

it('gives hashes back in their order, each with its value', () => {
  const sorted = new SortedHashes();
  const added = Array.from({ length: 20_000 }, (_, at) => ({ hash: hash('sha1', String(at), 'buffer'), value: at }));
  // Two that differ in their last octet only, as no two names do.
  const [first] = added;
  const twin = Buffer.from(first!.hash);
  twin[19] = (twin[19] ?? 0) ^ 1;
  for (const { hash: octets, value } of [...added, { hash: twin, value: 0xffff }]) sorted.add(octets, value);
  const read = [...sorted.inOrder()].flat();
  expect(read).toHaveLength(added.length + 1);
  const texts = read.map(({ hash: octets }) => Buffer.from(octets).toString('hex'));
  expect(texts).toEqual([...texts].sort());
  const valueOf = new Map(read.map(({ value }, at) => [texts[at], value]));
  expect(added.every(({ hash: octets, value }) => valueOf.get(octets.toString('hex')) === value)).toBe(true);
  expect(valueOf.get(twin.toString('hex'))).toBe(0xffff);
});
