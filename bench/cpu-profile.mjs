import { nameOfFile, ownerOf } from './owners.mjs';

/** Nobody's processor time. */
const IDLE = '(idle)';
/** V8 counts what an addon does as the function's that calls it; these do nothing else. */
const ADDON_CALLERS = { file: 'src/database/statement.ts', names: ['run', 'get', 'all'], addon: 'better-sqlite3' };

/**
 * The calls that V8 saw between two moments as one tree, in samples: `self` in the frame itself, `total` with all that
 * it called. A function that one caller calls from several places is one frame.
 */
export function readProfile({ nodes, samples, timeDeltas, startTime }, { from, to }) {
  const stacks = stacksOf(nodes);
  const root = newFrame({ name: 'all', file: '', who: '' });
  let time = startTime;
  for (const [at, id] of samples.entries()) {
    time += timeDeltas[at];
    const stack = stacks.get(id);
    if (time >= from && time <= to && stack.at(-1)?.name !== IDLE) count(root, stack);
  }
  return root;
}

/** For each node of the profile the calls that lead to it, without V8's own root. */
function stacksOf(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stacks = new Map();
  const walk = (node, stack) => {
    stacks.set(node.id, withAddon(stack));
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      walk(child, [...stack, callOf(child, stack.at(-1))]);
    }
  };
  walk(nodes[0], []);
  return stacks;
}

function callOf({ callFrame: { functionName, url } }, caller) {
  const file = nameOfFile(url);
  return { name: functionName || '(anonymous)', file, who: ownerOf(functionName, file, caller) };
}

function withAddon(stack) {
  const { file, names, addon } = ADDON_CALLERS;
  const last = stack.at(-1);
  if (last?.file !== file || !names.includes(last.name)) return stack;
  return [...stack, { name: last.name, file: addon, who: addon }];
}

function count(root, stack) {
  let frame = root;
  frame.total += 1;
  for (const call of stack) {
    frame = childOf(frame, call);
    frame.total += 1;
  }
  frame.self += 1;
}

function childOf({ children }, call) {
  const key = `${call.name} ${call.file}`;
  if (!children.has(key)) children.set(key, newFrame(call));
  return children.get(key);
}

function newFrame(call) {
  return { ...call, self: 0, total: 0, children: new Map() };
}
