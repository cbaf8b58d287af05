import type { ListedZone } from '../api/types.js';
import { asciiOf } from '../parts/idn.js';
import { words } from '../words/index.js';
import type { Purpose } from './clients.js';

/** The zone with the longest name that contains a name; `null`: none of the tenant. */
export type ZoneFinder = (name: string) => Promise<ListedZone | null>;

/** An entered name, absolute, with its zone. */
export interface Placed {
  readonly name: string;
  readonly zone: ListedZone;
}

export interface Scope {
  readonly placed: readonly Placed[];
  /** A sentence for each rejected entry. */
  readonly faults: readonly string[];
}

export interface Limits {
  readonly domains: string[];
  readonly names?: string[];
  readonly types?: string[];
  readonly actions?: string[];
}

const HOST = /^(?:\*\.)?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+$/;
const OWNER = /^(?:[a-z\d_*/-]{1,63}\.)+$/;
const LONGEST_NAME = 254;
const CHALLENGE = '_acme-challenge.';

/** Entries of a text, one per line or separated by commas. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export async function scopeOf(entries: readonly string[], purpose: Purpose, find: ZoneFinder): Promise<Scope> {
  const checked = await Promise.all(entries.map((entry) => check(entry, purpose, find)));
  return {
    placed: checked.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    faults: checked.filter((one) => typeof one === 'string'),
  };
}

/** The placed name, or the reason for its rejection. */
async function check(entry: string, purpose: Purpose, find: ZoneFinder): Promise<Placed | string> {
  const name = absolute(asciiOf(entry).toLowerCase());
  const isHost = purpose === 'certificates';
  if (!(isHost ? HOST : OWNER).test(name) || name.length > LONGEST_NAME)
    return isHost ? words.access.notAHost(entry) : words.access.notAName(entry);
  const zone = await find(isHost ? challengeOf(name) : name);
  if (zone === null) return words.access.notInZones(entry);
  return purpose === 'dhcp' && !isZone({ name, zone }) ? words.access.notAZone(entry, zone.name) : { name, zone };
}

/** The permissions for the entered names, and no more. */
export function limitsFor(purpose: Purpose, placed: readonly Placed[]): Limits {
  const domains = unique(placed.map(({ zone }) => zone.name));
  switch (purpose) {
    case 'certificates':
      // RFC 8555 §8.4
      return {
        domains,
        names: unique(placed.map(({ name }) => challengeOf(name))),
        types: ['TXT'],
        actions: ['create', 'delete'],
      };
    case 'dhcp':
      return { domains, types: ['A', 'AAAA', 'DHCID', 'PTR'] };
    case 'records':
      if (placed.every(isZone)) return { domains };
      return {
        domains,
        names: unique(placed.flatMap((one) => (isZone(one) ? [one.name, `*.${one.name}`] : [one.name]))),
      };
  }
}

export const challengeOf = (host: string): string => `${CHALLENGE}${host.replace(/^\*\./, '')}`;

const isZone = ({ name, zone }: Placed): boolean => zone.name.toLowerCase() === name;

/** @param zonesNamed the zones of exactly this name @returns a finder that asks for each name once */
export function zoneFinder(zonesNamed: (name: string) => Promise<readonly ListedZone[]>): ZoneFinder {
  const asked = new Map<string, Promise<ListedZone | null>>();
  const find = async (name: string): Promise<ListedZone | null> => {
    if (name === '') return null;
    const [found] = name.includes('*') ? [] : await zonesNamed(name);
    return found ?? closest(name.slice(name.indexOf('.') + 1));
  };
  const closest = (name: string): Promise<ListedZone | null> => {
    const known = asked.get(name) ?? find(name);
    asked.set(name, known);
    return known;
  };
  return closest;
}

const absolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`);

const unique = (names: readonly string[]): string[] => [...new Set(names)];
