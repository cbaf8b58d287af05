import type { DomainName } from '../name.js';
import type { ChainKind } from './denial.js';
import type { WireSet } from './wire-set.js';

/** Name of the NSEC or NSEC3 chain. The key of the owner name is its position. */
export interface ChainLink {
  readonly owner: DomainName;
  readonly bitmap: Uint8Array;
}

export interface StoredChain {
  at(keys: readonly string[]): Promise<readonly ChainLink[]>;
  before(key: string): Promise<ChainLink | null>;
  after(key: string): Promise<ChainLink | null>;
  first(): Promise<ChainLink | null>;
  last(): Promise<ChainLink | null>;
}

/** By key; `null` for removed links. */
export type ChangedLinks = ReadonlyMap<string, ChainLink | null>;

export interface ChainPatch {
  /** New links, and links with another successor or bitmap. */
  readonly links: readonly { readonly link: ChainLink; readonly next: DomainName }[];
  readonly removed: readonly string[];
}

export function chainSets(kind: ChainKind, { links }: ChainPatch, ttl: number): WireSet[] {
  return links.map(({ link: { owner, bitmap }, next }) => ({
    owner,
    type: kind.type,
    ttl,
    rdatas: [kind.rdataOf(next, bitmap)],
  }));
}

/** Returns new links, and predecessors of new or removed links. @throws BrokenChain if the result is no chain */
export async function patchChain(stored: StoredChain, changes: ChangedLinks): Promise<ChainPatch> {
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
    // A new bitmap does not affect the neighbors.
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

/** A chain that would deny existing names or lead to missing ones. */
export class BrokenChain extends Error {}

class ChangedChain {
  private readonly present: readonly string[];

  constructor(
    readonly stored: StoredChain,
    readonly changes: ChangedLinks,
  ) {
    this.present = [...changes].flatMap(([key, link]) => (link === null ? [] : [key])).sort();
  }

  /** The last link precedes the first one. */
  async previous(key: string): Promise<ChainLink> {
    return (await this.beforeOrNull(key)) ?? whole(await this.lastOne());
  }

  /** The first link follows the last one. */
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

/** Verifies independently that the written links reach each existing name and no removed name. */
async function assertWhole(chain: ChangedChain, changes: ChangedLinks, { links, removed }: ChainPatch): Promise<void> {
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
    // Without a written predecessor, the link and its predecessor must have existed before.
    const [known] = await chain.stored.at([key]);
    if (known === undefined) throw new BrokenChain(`the chain does not lead to ${link.owner.toString()}`);
  }
}

/** Wraps around the end of the chain. */
function isBetween(from: string, key: string, to: string): boolean {
  return from < to ? from < key && key < to : key > from || key < to;
}

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

function countBelow(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
