import { lineTokens } from '../../../dns/master-file/entry-scanner.js';
import type { RecordSet } from '../../../dns/master-file/master-file-writer.js';
import type { DomainName } from '../../../dns/name.js';
import { textOfStrings } from './octodns-texts.js';
import { type OctodnsField, octodnsType, SERVICE_PARAMETERS } from './octodns-types.js';

/** A plain text of YAML, a number, or nothing. */
type Scalar = string | { readonly plain: string } | null;
type Value = Scalar | readonly Value[] | { readonly entries: readonly (readonly [string, Value])[] };

/**
 * Writes record sets as octoDNS's YamlProvider reads them, with keys in its natural order (behaviour 17.12).
 * @throws Error for a record that octoDNS cannot hold
 */
export function yamlOfRecordSets(zone: DomainName, sets: readonly RecordSet[]): string {
  const byOwner = new Map<string, Value[]>();
  for (const set of sets) {
    const owner = ownerIn(zone, set.owner);
    const records = byOwner.get(owner) ?? [];
    byOwner.set(owner, records);
    records.push(recordOf(set));
  }
  const entries = [...byOwner].map(([owner, all]) => [owner, all.length === 1 ? (all[0] ?? null) : all] as const);
  return `---\n${textOf(sorted(entries), 0)}`;
}

function ownerIn(zone: DomainName, owner: DomainName): string {
  const text = owner.toString();
  const tail = zone.toString();
  if (owner.equals(zone)) return '';
  return text.slice(0, text.length - (tail === '.' ? 1 : tail.length + 1));
}

function recordOf({ owner, type, ttl, rdatas }: RecordSet): Value {
  const known = octodnsType(type.name);
  if (known === undefined)
    throw new Error(`${owner.toString()} ${type.name}: octoDNS's schema does not have this type`);
  const { form, isSingle } = known;
  const values = rdatas.map((rdata): Value => {
    const tokens = lineTokens(type.toText(rdata));
    if (tokens[0]?.text === '\\#' && !tokens[0].quoted)
      throw new Error(`${owner.toString()} ${type.name}: octoDNS's schema cannot hold this value`);
    const texts = tokens.map(({ text }) => text);
    if (form === 'word' || form === 'name') return texts.join('');
    if (form === 'strings') return textOfStrings(rdata, `${owner.toString()} ${type.name}`);
    return form === 'service'
      ? serviceOf(texts)
      : sorted(form.map((field, at) => [field.key, fieldOf(field, texts[at])]));
  });
  const [first = null] = values;
  const isOne = isSingle === true || values.length === 1;
  return sorted([['ttl', { plain: String(ttl) }], ['type', type.name], isOne ? ['value', first] : ['values', values]]);
}

function fieldOf({ kind }: OctodnsField, text = ''): Scalar {
  if (kind === 'metres') return { plain: text.replace(/m$/, '') };
  return kind === 'number' ? { plain: text } : text;
}

function serviceOf([priority = '', target = '', ...params]: readonly string[]): Value {
  const entries = params.map((param) => {
    const [, key = '', value] = /^([^=]*)(?:="?([^]*?)"?)?$/.exec(param) ?? [];
    const isList = SERVICE_PARAMETERS.some(({ name, isList: list }) => list && name === key);
    return [key, value === undefined ? null : isList ? value.split(',') : value] as const;
  });
  return sorted([
    ...(entries.length === 0 ? [] : [['svcparams', sorted(entries)] as const]),
    ['svcpriority', { plain: priority }],
    ['targetname', target],
  ]);
}

function sorted(entries: readonly (readonly [string, Value])[]): Value {
  return { entries: entries.toSorted(([one], [other]) => compareNaturally(one, other)) };
}

/** The order of the Python package natsort: runs of digits compare as numbers. */
function compareNaturally(one: string, other: string): number {
  const [left, right] = [one.split(/([0-9]+)/), other.split(/([0-9]+)/)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order =
      at % 2 === 1 ? compareNumbers(left[at] ?? '', right[at] ?? '') : compare(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareNumbers(one: string, other: string): number {
  const [left, right] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return left.length - right.length || compare(left, right);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Block style; nested blocks stand two blanks deeper. */
function textOf(value: Value, depth: number): string {
  const blanks = ' '.repeat(2 * depth);
  if (isList(value)) return value.map((item) => `${blanks}- ${inner(item, depth + 1)}`).join('');
  if (value !== null && typeof value === 'object' && 'entries' in value)
    return value.entries
      .map(
        ([key, item]) =>
          `${blanks}${scalarText(key)}:${isBlock(item) ? `\n${textOf(item, depth + 1)}` : ` ${scalarText(item)}\n`}`,
      )
      .join('');
  return `${blanks}${scalarText(value)}\n`;
}

/** The first line of a block stands behind its dash. */
function inner(item: Value, depth: number): string {
  return isBlock(item) ? textOf(item, depth).slice(2 * depth) : `${scalarText(item)}\n`;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isBlock(value: Value): value is Exclude<Value, Scalar> {
  return isList(value) || (value !== null && typeof value === 'object' && 'entries' in value);
}

/** Neither YAML 1.1, which octoDNS reads, nor 1.2 takes these for anything but a text. */
const PLAIN = /^(?:[A-Za-z_][A-Za-z0-9_.\-/]*|[0-9]{1,3}(?:\.[0-9]{1,3}){3})$/;
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function scalarText(value: Scalar): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return value.plain;
  if (PLAIN.test(value) && !RESERVED.test(value)) return value;
  if (/^[ -~]*$/.test(value) && !/\$\{[A-Za-z_]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value)
    .replace(
      /[\x7f-\u{10ffff}]/gu,
      (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
    )
    .replace(/\$(?=\{[A-Za-z_])/g, '\\x24');
}
