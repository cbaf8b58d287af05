import { expect } from '@jest/globals';
import { until } from '../support/until.js';
import type { Person } from './person.js';

interface AxValue {
  readonly value?: unknown;
}
interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[];
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
}

interface Region {
  readonly isAssertive: boolean;
  /** Its texts, each with the DOM node that it is in: an equal text in a new node is announced again. */
  readonly texts: ReadonlyMap<number, string>;
}

/** The live regions of the page by their DOM node, as the accessibility tree has them. */
async function regionsOf(person: Person): Promise<ReadonlyMap<number, Region>> {
  const session = await person.context.newCDPSession(person.page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: readonly AxNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const liveOf = ({ properties = [] }: AxNode): unknown => properties.find(({ name }) => name === 'live')?.value.value;
  const textsOf = (node: AxNode, into: Map<number, string>): Map<number, string> => {
    if (node.role?.value === 'StaticText')
      into.set(node.backendDOMNodeId ?? 0, typeof node.name?.value === 'string' ? node.name.value : '');
    else for (const id of node.childIds ?? []) textsOf(byId.get(id) ?? { nodeId: id, ignored: true }, into);
    return into;
  };
  const live = nodes.filter((node) => !node.ignored && ['polite', 'assertive'].includes(String(liveOf(node))));
  return new Map(
    live.map((node) => [
      node.backendDOMNodeId ?? 0,
      { isAssertive: liveOf(node) === 'assertive', texts: textsOf(node, new Map()) },
    ]),
  );
}

/** The announcements of a screen reader: new texts of regions that were there before, and alerts that appear. */
function saidBetween(before: ReadonlyMap<number, Region>, after: ReadonlyMap<number, Region>): string[] {
  return [...after].flatMap(([id, { isAssertive, texts }]) => {
    const known = before.get(id);
    if (known === undefined && !isAssertive) return [];
    const said = [...texts].filter(([node, text]) => known?.texts.get(node) !== text).map(([, text]) => text);
    return said.length === 0 ? [] : [said.join(' ')];
  });
}

/** Expects an announcement during an act or after it. */
export async function expectSaid(person: Person, act: () => Promise<unknown>, text: RegExp): Promise<void> {
  let before = await regionsOf(person);
  const said: string[] = [];
  const listen = async (): Promise<void> => {
    const after = await regionsOf(person);
    said.push(...saidBetween(before, after));
    before = after;
  };
  const acting = { isOver: false };
  const listening = (async () => {
    do await listen();
    while (!acting.isOver);
  })();
  await act();
  acting.isOver = true;
  await listening;
  await until(async () => {
    await listen();
    return said.some((one) => text.test(one));
  }, 15_000).catch(() => undefined);
  expect(said.filter((one) => text.test(one)).length === 0 ? said : text).toEqual(text);
}
