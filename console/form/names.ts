import { asciiOf } from '../parts/idn.js';

/** The absolute form of a typed name: `@` is the zone, a final dot makes a name absolute. */
export function fullName(typed: string, zone: string): string {
  const name = asciiOf(typed.trim());
  if (name === '' || name === '@') return zone;
  return name.endsWith('.') ? name : `${name}${below(zone)}`;
}

/** A final dot that is no escaped character. */
const ABSOLUTE = /(?:^|[^\\])(?:\\\\)*\.$/;
/** Top-level domains have letters only, or are A-labels. */
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/i;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$|:/;

/**
 * The absolute form of a name in data. A single label, and a name that ends with no top-level domain, are below the
 * zone; other names only lack their final dot. The service refuses addresses with its own advice.
 */
export function targetName(typed: string, zone: string): string {
  const name = asciiOf(typed.trim());
  if (name === '' || ABSOLUTE.test(name) || ADDRESS.test(name)) return name;
  if (name === '@') return zone;
  return isFull(name) ? `${name}.` : `${name}${below(zone)}`;
}

/** The other reading of a name that only lacks its final dot: below the zone. `null`: the name has one reading. */
export function otherTargetName(typed: string, zone: string): string | null {
  const name = asciiOf(typed.trim());
  const isOpen =
    targetName(typed, zone) === `${name}.` && !`.${name}.`.toLowerCase().endsWith(below(zone).toLowerCase());
  return isOpen ? `${name}${below(zone)}` : null;
}

function isFull(name: string): boolean {
  const last = name.split('.').at(-1) ?? '';
  return last !== name && TOP_LEVEL.test(last);
}

/** How all names below the zone end. */
function below(zone: string): string {
  return zone === '.' ? '.' : `.${zone}`;
}

/** The name as it is written inside its zone. */
export function relativeName(name: string, zone: string): string {
  if (name.toLowerCase() === zone.toLowerCase()) return '@';
  const tail = below(zone);
  return name.toLowerCase().endsWith(tail.toLowerCase()) ? name.slice(0, -tail.length) : name;
}

/** The name of a new record for a token that has one name only; `''`: not known. */
export function onlyName(patterns: readonly string[] | null, zone: string): string {
  const [pattern = '', ...others] = patterns ?? [];
  const name = pattern.endsWith('.*') ? pattern.slice(0, -2) : pattern;
  if (others.length > 0 || name === '' || name.includes('*')) return '';
  return name === pattern ? relativeName(name, zone) : name;
}

export interface PastedLine {
  readonly name: string;
  readonly ttl: string;
  readonly type: string;
  readonly data: string;
}

/** A line of a zone file, such as `www 300 IN A 192.0.2.1`; `null` for anything else. */
export function pastedLine(text: string, types: ReadonlySet<string>): PastedLine | null {
  const [, name, rest] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
  if (name === undefined || rest === undefined) return null;
  const found = /^(?:(\d[\dsmhdw]*)\s+)?(?:IN\s+)?(?:(\d[\dsmhdw]*)\s+)?([A-Za-z][A-Za-z0-9]*)\s+(.+)$/i.exec(rest);
  const type = found?.[3]?.toUpperCase();
  if (found === null || type === undefined || !types.has(type)) return null;
  return { name, ttl: found[1] ?? found[2] ?? '', type, data: found[4] ?? '' };
}
