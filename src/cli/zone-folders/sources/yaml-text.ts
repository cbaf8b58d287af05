import { isUtf8 } from 'node:buffer';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { type Place, SourceError } from './source-text.js';

/** Nesting of our schemas is below ten. The parser of the package recurses. */
const MAX_DEPTH = 64;
/** Nodes that are read, also again through aliases: a bound for "billion laughs". */
const MAX_NODES = 1_000_000;

export interface YamlText {
  readonly root: Node | null;
  placeOf(node: Node | null): Place;
  /** Follows an alias. @throws SourceError */
  resolve(node: unknown): Node | null;
}

/**
 * Parses one YAML document. All scalars are texts (failsafe schema): `no` is a name, `0123` no octal number.
 * @throws SourceError
 */
export function parseYaml(octets: string, file: string): YamlText {
  const buffer = Buffer.from(octets, 'latin1');
  if (!isUtf8(buffer)) throw new SourceError({ file, line: 1 }, 'the file is not UTF-8: save it as UTF-8');
  const text = buffer.toString();
  assertPlain(text, file);
  const lines = new LineCounter();
  const place = (at: number): Place => {
    const { line, col } = lines.linePos(at);
    return { file, line, column: col };
  };
  const document = parse(text, file, lines);
  const [error] = document.errors;
  if (error !== undefined) throw new SourceError(place(error.pos[0]), firstLineOf(error.message));
  const targets = targetsOf(document);
  let nodes = 0;
  const placeOf = (node: Node | null): Place => place(node?.range?.[0] ?? 0);
  const resolve = (node: unknown): Node | null => {
    const found = isAlias(node) ? (targets.get(node) ?? null) : ((node ?? null) as Node | null);
    if (++nodes > MAX_NODES) throw new SourceError(placeOf(found), `aliases repeat more than ${MAX_NODES} values`);
    if (isAlias(node) && found === null) throw new SourceError(placeOf(node), 'this alias has no anchor');
    if (found?.tag?.startsWith('!') === true)
      throw new SourceError(placeOf(found), `the tag ${found.tag} is not supported: leave it out`);
    return found;
  };
  return { root: document.contents, placeOf, resolve };
}

function parse(text: string, file: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, {
      ...{ schema: 'failsafe', lineCounter, logLevel: 'error', prettyErrors: false },
      // The check of the package compares each key with all others.
      uniqueKeys: false,
    });
  } catch (error) {
    throw new SourceError({ file, line: 1 }, `the file cannot be read as YAML: ${(error as Error).message}`);
  }
}

/** The package searches the whole document for each alias. An alias means the last anchor before it. */
function targetsOf(document: Document): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_, alias) => {
      const target = anchors.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
    },
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function firstLineOf(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}

/** Refuses control characters, and brackets and indents that nest too deeply. */
function assertPlain(text: string, file: string): void {
  let open = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const place = { file, line: at + 1 };
    const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.exec(line);
    if (control !== null)
      throw new SourceError({ ...place, column: control.index + 1 }, 'a control character stands here: leave it out');
    for (const [bracket] of line.matchAll(/[[\]{}]/g)) {
      if (bracket === '[' || bracket === '{') open += 1;
      else open = Math.max(0, open - 1);
      if (open > MAX_DEPTH) throw new SourceError(place, `brackets nest more than ${MAX_DEPTH} levels deep`);
    }
    if (/^(?:[ ]*[-?:][ ]+){65}/.test(line) || /^[ ]{1000}/.test(line))
      throw new SourceError(place, `lines nest more than ${MAX_DEPTH} levels deep`);
  }
}

export interface Member {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Node | null;
  readonly valuePlace: Place;
}

/** The members of a mapping, with those of its merge key `<<`. @throws SourceError for other nodes and duplicate keys */
export function mappingOf(text: YamlText, node: unknown, what: string, depth = 0): Member[] {
  const map = text.resolve(node);
  if (depth > MAX_DEPTH) throw new SourceError(text.placeOf(map), 'the merge keys lead to each other');
  if (!isMap(map)) throw new SourceError(text.placeOf(map), `${what} is a mapping of keys to values`);
  const own = new Map<string, Member>();
  const merged: Member[] = [];
  for (const pair of pairsOf(map)) {
    const key = text.resolve(pair.key);
    if (!isScalar(key)) throw new SourceError(text.placeOf(key ?? map), 'a key is a text');
    const [name, keyPlace] = [String(key.value), text.placeOf(key)];
    if (name === '<<' && key.type === 'PLAIN') {
      for (const from of itemsOf(text, pair.value))
        for (const member of mappingOf(text, from, what, depth + 1)) merged.push(member);
    } else if (own.has(name)) throw new SourceError(keyPlace, `the key ${JSON.stringify(name)} stands here twice`);
    else {
      const value = text.resolve(pair.value);
      own.set(name, { key: name, keyPlace, value, valuePlace: value === null ? keyPlace : text.placeOf(value) });
    }
  }
  for (const member of merged) if (!own.has(member.key)) own.set(member.key, member);
  return [...own.values()];
}

function pairsOf(map: YAMLMap): { readonly key: unknown; readonly value: unknown }[] {
  return map.items.filter((item) => isPair(item));
}

/** The items of a list; another node is a list of itself. */
export function itemsOf(text: YamlText, node: unknown): (Node | null)[] {
  const found = text.resolve(node);
  return isSeq(found) ? found.items.map((item) => text.resolve(item)) : [found];
}
