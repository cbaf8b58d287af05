import { asciiOf } from '../parts/idn.js';

/** The absolute name that somebody means: `@` is the zone, a final dot makes a name absolute. */
export function fullName(typed: string, zone: string): string {
  const name = asciiOf(typed.trim());
  if (name === '' || name === '@') return zone;
  return name.endsWith('.') ? name : `${name}${below(zone)}`;
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
  const found = /^(?:(\d+)\s+)?(?:IN\s+)?(?:(\d+)\s+)?([A-Za-z][A-Za-z0-9]*)\s+(.+)$/i.exec(rest);
  const type = found?.[3]?.toUpperCase();
  if (found === null || type === undefined || !types.has(type)) return null;
  return { name, ttl: found[1] ?? found[2] ?? '', type, data: found[4] ?? '' };
}
