import type { DomainName } from '../name.js';
import type { ChainKind } from './denial.js';
import type { WireSet } from './wire-set.js';

/** A name of the chain, and what is proven of it. The key of its owner name says where it stands. */
export interface ChainLink {
  readonly owner: DomainName;
  readonly bitmap: Uint8Array;
}

/** The chain as it is stored, before a change. */
export interface StoredChain {
  /** The links of those keys that there are. */
  at(keys: readonly string[]): Promise<readonly ChainLink[]>;
  /** The last link before the key; `null` where there is none. */
  before(key: string): Promise<ChainLink | null>;
  /** The first link behind the key; `null` where there is none. */
  after(key: string): Promise<ChainLink | null>;
  first(): Promise<ChainLink | null>;
  last(): Promise<ChainLink | null>;
}

/** What becomes of links, by their keys: another one, or none. */
export type ChainChanges = ReadonlyMap<string, ChainLink | null>;

export interface ChainPatch {
  /** Links that are new, or that lead to another one, or prove something else. */
  readonly links: readonly { readonly link: ChainLink; readonly next: DomainName }[];
  /** Keys of the links that are gone. */
  readonly removed: readonly string[];
}

/** The sets of NSEC or NSEC3 that a patch brings. */
export function chainSets(kind: ChainKind, { links }: ChainPatch, ttl: number): WireSet[] {
  return links.map(({ link: { owner, bitmap }, next }) => ({
    owner,
    type: kind.type,
    ttl,
    rdatas: [kind.rdataOf(next, bitmap)],
  }));
}

/**
 * What has to be written so that the chain has the changes: each link that came, and the one before what came or went.
 * @throws BrokenChain where the result would be none
 */
export async function patchChain(stored: StoredChain, changes: ChainChanges): Promise<ChainPatch> {
  const chain = new ChangedChain(stored, changes);
  const known = new Map((await stored.at([...changes.keys()])).map((link) => [link.owner.key, link]));
  const touched = new Map<string, ChainLink>();
  const removed: string[] = [];
  for (const [key, link] of changes) {
    const before = known.get(key);
    if (link === null) {
      if (before === undefined) continue;
      removed.push(key);
    } else if (before === undefined || !isSameLink(before, link)) {
      touched.set(key, link);
    }
    // One that has only another bitmap leaves its neighbours as they are.
    if (link !== null && before !== undefined) continue;
    const previous = await chain.previous(key);
    touched.set(previous.owner.key, previous);
  }
  const links: { link: ChainLink; next: DomainName }[] = [];
  for (const [key, link] of touched) links.push({ link, next: (await chain.next(key)).owner });
  const patch = { links, removed };
  await assertWhole(chain, changes, patch);
  return patch;
}

/** A chain that would deny names that are there, or lead nowhere. */
export class BrokenChain extends Error {}

/** The chain as it will be. */
class ChangedChain {
  private readonly present: readonly string[];

  constructor(
    readonly stored: StoredChain,
    readonly changes: ChainChanges,
  ) {
    this.present = [...changes].flatMap(([key, link]) => (link === null ? [] : [key])).sort();
  }

  /** The link before the key, round the end. */
  async previous(key: string): Promise<ChainLink> {
    return (await this.beforeOrNull(key)) ?? whole(await this.lastOne());
  }

  /** The link behind the key, round the end. */
  async next(key: string): Promise<ChainLink> {
    return (await this.afterOrNull(key)) ?? whole(await this.firstOne());
  }

  private async beforeOrNull(key: string): Promise<ChainLink | null> {
    const changed = this.present[countBelow(this.present, key) - 1];
    return later(this.changed(changed), await this.unchangedBefore(key));
  }

  private async afterOrNull(key: string): Promise<ChainLink | null> {
    const changed = this.present[countBelow(this.present, `${key}\0`)];
    return earlier(this.changed(changed), await this.unchangedAfter(key));
  }

  private async lastOne(): Promise<ChainLink | null> {
    const stored = await this.stored.last();
    const unchanged = stored !== null && this.changes.has(stored.owner.key);
    return later(this.changed(this.present.at(-1)), unchanged ? await this.unchangedBefore(stored.owner.key) : stored);
  }

  private async firstOne(): Promise<ChainLink | null> {
    const stored = await this.stored.first();
    const unchanged = stored !== null && this.changes.has(stored.owner.key);
    return earlier(this.changed(this.present[0]), unchanged ? await this.unchangedAfter(stored.owner.key) : stored);
  }

  private async unchangedBefore(key: string): Promise<ChainLink | null> {
    let link = await this.stored.before(key);
    while (link !== null && this.changes.has(link.owner.key)) link = await this.stored.before(link.owner.key);
    return link;
  }

  private async unchangedAfter(key: string): Promise<ChainLink | null> {
    let link = await this.stored.after(key);
    while (link !== null && this.changes.has(link.owner.key)) link = await this.stored.after(link.owner.key);
    return link;
  }

  private changed(key: string | undefined): ChainLink | null {
    return key === undefined ? null : (this.changes.get(key) ?? null);
  }
}

/**
 * Looks at the result from the other side: whoever follows the chain from before a change comes to what is there, and to
 * nothing that is gone.
 */
async function assertWhole(chain: ChangedChain, changes: ChainChanges, { links, removed }: ChainPatch): Promise<void> {
  const written = new Map(links.map(({ link, next }) => [link.owner.key, next.key]));
  const gone = new Set(removed);
  for (const { link, next } of links) {
    if (gone.has(next.key) || gone.has(link.owner.key)) throw new BrokenChain(`the chain leads to ${next.toString()}`);
    const between = await chain.stored.after(link.owner.key);
    const isSkipped =
      between !== null &&
      isBetween(link.owner.key, between.owner.key, next.key) &&
      changes.get(between.owner.key) !== null;
    if (isSkipped) throw new BrokenChain(`the chain passes over ${between.owner.toString()}`);
  }
  const reached = new Set(written.values());
  for (const [key, link] of changes) {
    if (link === null || reached.has(key)) continue;
    // Nobody new leads to it: then it was there before, and so was who does.
    const [known] = await chain.stored.at([key]);
    if (known === undefined) throw new BrokenChain(`the chain does not lead to ${link.owner.toString()}`);
  }
}

/** Whether the key stands behind the one and before the other, round the end. */
function isBetween(from: string, key: string, to: string): boolean {
  return from < to ? from < key && key < to : key > from || key < to;
}

/** Both have the same key. */
function isSameLink(one: ChainLink, other: ChainLink): boolean {
  return Buffer.compare(one.bitmap, other.bitmap) === 0;
}

function later(one: ChainLink | null, other: ChainLink | null): ChainLink | null {
  if (one === null || other === null) return one ?? other;
  return one.owner.key > other.owner.key ? one : other;
}

function earlier(one: ChainLink | null, other: ChainLink | null): ChainLink | null {
  if (one === null || other === null) return one ?? other;
  return one.owner.key < other.owner.key ? one : other;
}

function whole(link: ChainLink | null): ChainLink {
  if (link === null) throw new BrokenChain('the chain is empty');
  return link;
}

/** How many of the keys, which are in order, are lower than that one. */
function countBelow(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
