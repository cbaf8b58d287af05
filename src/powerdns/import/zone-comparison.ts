import { listIn, objectIn, type InputObject } from '../input.js';
import type { RrsetView } from '../rrsets/rrset-views.js';

/**
 * What a zone has here that it does not have there, or the other way round.
 * @param note is told of each kind of difference once
 */
export function compare(there: InputObject, here: readonly RrsetView[], note: (difference: string) => void): void {
  const found = new Map(here.map((set) => [keyOf(set.name, set.type), set]));
  const kinds = new Set<string>();
  for (const value of listIn(there, 'rrsets') ?? []) {
    const set = objectIn(value, 'An rrset');
    const key = keyOf(String(set.name), String(set.type));
    const ours = found.get(key);
    found.delete(key);
    if (set.type === 'SOA') kinds.add("primary, timers and serial of the SOA are the service's");
    else if (ours === undefined) kinds.add('a record set is missing');
    else for (const kind of differencesOf(set, ours)) kinds.add(kind);
  }
  for (const { type } of found.values()) if (type !== 'SOA') kinds.add('a record set is there beside the others');
  for (const kind of kinds) note(kind);
}

function differencesOf(there: InputObject, here: RrsetView): string[] {
  const records = (listIn(there, 'records') ?? []).map((one) => objectIn(one, 'A record'));
  const comments = listIn(there, 'comments') ?? [];
  const written = (content: unknown, disabled: unknown): string => `${String(content)} ${String(disabled === true)}`;
  const theirs = records.map(({ content, disabled }) => written(content, disabled)).sort();
  const ours = here.records.map(({ content, disabled }) => written(content, disabled)).sort();
  return [
    ...(Number(there.ttl) === here.ttl || records.length === 0 ? [] : ['the TTL of a record set is another']),
    ...(theirs.join('\n') === ours.join('\n') ? [] : ['contents are spelled otherwise']),
    ...(comments.length === here.comments.length ? [] : ['comments are missing']),
  ];
}

function keyOf(name: string, type: string): string {
  return `${name.toLowerCase()} ${type}`;
}
