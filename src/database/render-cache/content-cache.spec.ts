import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type HeldContent, CachedContent, ContentCache } from './content-cache.js';
import { Spool } from './spool.js';

const MIB = 2 ** 20;
/** Sizes in octets of content that stays in memory, and of spooled content; without overhead. */
const SMALL = 40_000;
const LARGE = 1.5 * MIB;
const OVERHEAD = 1024;

const spool = new Spool(tmpdir());
const ROOM = { inMemory: 2 * (SMALL + OVERHEAD), onDisk: 2 * (LARGE + OVERHEAD) };
let contents: ContentCache<null>;

/** Room for two of either kind. */
beforeEach(() => {
  contents = new ContentCache(ROOM);
});
afterEach(() => contents.clear());

async function contentOf(octets: number): Promise<CachedContent<null>> {
  return new CachedContent(null, await spool.keepOctets(piecesOf(octets)));
}

async function* piecesOf(octets: number): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.alloc(octets, 7));
}

async function put(key: string, octets: number, owner?: string): Promise<void> {
  contents.put(key, await contentOf(octets), owner);
  contents.makeRoom();
}

function use(key: string): HeldContent<null> {
  return contents.use(key, contents.find(key)!);
}

async function octetsOf({ octets }: HeldContent<null>): Promise<number> {
  return (await octets.read(0, octets.length)).length;
}

const thereAre = (): string[] => ['a', 'b', 'c', 'd'].filter((key) => contents.find(key) !== undefined);

it.each([
  ['in memory', SMALL],
  ['on disk', LARGE],
])('evicts the least recently used content when full %s', async (_, octets) => {
  await put('a', octets);
  await put('b', octets);
  use('a').release();
  await put('c', octets);
  expect(thereAre()).toEqual(['a', 'c']);
  expect(contents.size.inMemory + contents.size.onDisk).toBe(2 * (octets + OVERHEAD));
});

it('keeps content in use beyond the limit, and evicts it on release', async () => {
  await put('a', LARGE);
  const [used, again] = [use('a'), use('a')];
  await put('b', LARGE);
  const other = use('b');
  await put('c', LARGE);
  expect(thereAre()).toEqual(['a', 'b']);
  const rendered = await contentOf(LARGE);
  contents.put('c', rendered);
  const third = contents.use('c', rendered);
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

it('spooled content takes no memory', async () => {
  await put('a', SMALL);
  await put('b', LARGE);
  await put('c', LARGE);
  await put('d', LARGE);
  expect(thereAre()).toEqual(['a', 'c', 'd']);
});

it('lets a reader finish evicted content', async () => {
  await put('a', LARGE);
  const used = use('a');
  contents.forget('a');
  expect(contents.size).toEqual({ inMemory: 0, onDisk: 0 });
  expect(await octetsOf(used)).toBe(LARGE);
  used.release();
});

it('an owner has its share, and leaves the rest to others', async () => {
  contents = new ContentCache(ROOM, { inMemory: SMALL + OVERHEAD, onDisk: LARGE + OVERHEAD });
  for (const size of [SMALL, LARGE]) {
    await put('a', size, 'other');
    await put('b', size, 'greedy');
    await put('c', size, 'greedy');
    expect(thereAre()).toEqual(['a', 'c']);
    await put('d', size, 'greedy');
    expect(thereAre()).toEqual(['a', 'd']);
    contents.clear();
    expect(contents.sizeOf('greedy')).toEqual({ inMemory: 0, onDisk: 0 });
  }
});

it('evicts on release what an owner uses beyond its share', async () => {
  contents = new ContentCache(ROOM, { inMemory: SMALL + OVERHEAD, onDisk: LARGE + OVERHEAD });
  await put('a', LARGE, 'greedy');
  const used = use('a');
  await put('b', LARGE, 'greedy');
  expect(thereAre()).toEqual(['a']);
  contents.put('c', await contentOf(LARGE), 'greedy');
  const rendered = use('c');
  expect(thereAre()).toEqual(['a', 'c']);
  used.release();
  expect(thereAre()).toEqual(['c']);
  rendered.release();
  expect(thereAre()).toEqual(['c']);
});
