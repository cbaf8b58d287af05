import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Spool } from '../../database/spool.js';
import { CopySpool, inTurn } from './copy-spool.js';
import { KeptCopies } from './kept-copies.js';
import type { KeptCopy } from './kept-copy.js';
import type { Copy } from './zone-source.js';

const MIB = 2 ** 20;
/** Octets that stay in memory, and octets that go to disk; with what a copy takes beside them. */
const SMALL = 40_000;
const LARGE = 1.5 * MIB;
const OVERHEAD = 1024;

const spool = new CopySpool(new Spool(tmpdir()));
let copies: KeptCopies;

/** Room for two of either kind. */
beforeEach(() => {
  copies = new KeptCopies({ inMemory: 2 * (SMALL + OVERHEAD), onDisk: 2 * (LARGE + OVERHEAD) });
});
afterEach(() => copies.clear());

function copyOf(octets: number): Promise<KeptCopy> {
  const section = { count: 1, offset: 12, octets: Buffer.alloc(octets, 7) };
  return spool.keep(inTurn([1, section]), new AbortController().signal);
}

async function put(key: string, octets: number): Promise<KeptCopy> {
  const copy = await copyOf(octets);
  copies.put(key, copy);
  copies.makeRoom();
  return copy;
}

function use(key: string): Copy {
  return copies.use(key, copies.find(key)!);
}

async function octetsOf(copy: Copy): Promise<number> {
  let octets = 0;
  for await (const section of copy.sections()) octets += section.octets.length;
  return octets;
}

const thereAre = (): string[] => ['a', 'b', 'c', 'd'].filter((key) => copies.find(key) !== undefined);

it.each([
  ['in memory', SMALL],
  ['on disk', LARGE],
])('what was used least recently goes when there is no room %s', async (_, octets) => {
  await put('a', octets);
  await put('b', octets);
  use('a').release();
  await put('c', octets);
  expect(thereAre()).toEqual(['a', 'c']);
  expect(copies.size.inMemory + copies.size.onDisk).toBe(2 * (octets + OVERHEAD));
});

it('what is used stays beyond the bound, and goes when it is released', async () => {
  await put('a', LARGE);
  const [used, again] = [use('a'), use('a')];
  await put('b', LARGE);
  const other = use('b');
  await put('c', LARGE);
  expect(thereAre()).toEqual(['a', 'b']);
  const rendered = await copyOf(LARGE);
  copies.put('c', rendered);
  const third = copies.use('c', rendered);
  expect(thereAre()).toEqual(['a', 'b', 'c']);
  used.release();
  used.release();
  expect(thereAre()).toEqual(['a', 'b', 'c']);
  again.release();
  expect(thereAre()).toEqual(['b', 'c']);
  expect(await octetsOf(other)).toBe(LARGE);
  other.release();
  third.release();
  expect(thereAre()).toEqual(['b', 'c']);
});

it('what fills the disk takes no room in memory', async () => {
  await put('a', SMALL);
  await put('b', LARGE);
  await put('c', LARGE);
  await put('d', LARGE);
  expect(thereAre()).toEqual(['a', 'c', 'd']);
});

it('who reads what was forgotten reads it to its end', async () => {
  await put('a', LARGE);
  const used = use('a');
  copies.forget('a');
  expect(copies.size).toEqual({ inMemory: 0, onDisk: 0 });
  expect(await octetsOf(used)).toBe(LARGE);
  used.release();
});
