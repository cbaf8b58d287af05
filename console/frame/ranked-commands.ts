import { words } from '../words/index.js';
import type { Command } from './use-commands.js';

const SHOWN_ZONES = 10;

interface Candidates {
  readonly q: string;
  /** The part of `q` that zones are searched by. */
  readonly sought: string;
  /** Whether `q` asks to add a record in a zone. */
  readonly isForAdding: boolean;
  readonly mayAdd: boolean;
  /** Whether `zones` are the results for `sought`. */
  readonly areZonesCurrent: boolean;
  readonly known: readonly Command[];
  readonly recent: readonly string[];
  readonly zones: readonly string[];
  readonly open: (zone: string, kind: string) => Command;
  readonly add: (zone: string) => Command;
  readonly search: Command;
}

interface Ranked {
  readonly commands: readonly Command[];
  /** Whether the first command stays the first when the zones arrive. */
  readonly isDecided: boolean;
}

export const has = (label: string, text: string): boolean => label.toLowerCase().includes(text.toLowerCase());

const withoutDot = (name: string): string => name.toLowerCase().replace(/(?<=.)\.$/, '');
const isExact = (label: string, text: string): boolean => withoutDot(label) === withoutDot(text);

/** The name that was typed in full comes first, then recent zones, pages and actions, other zones. */
export function ranked(candidates: Candidates): Ranked {
  const { q, sought, isForAdding, mayAdd, areZonesCurrent, recent, zones, open, add, search } = candidates;
  const recentFound = recent.filter((name) => has(name, sought));
  const exact = sought === '' ? undefined : [...recentFound, ...zones].find((name) => isExact(name, sought));
  const names = [...new Set([...(exact === undefined ? [] : [exact]), ...recentFound, ...zones])];
  if (isForAdding)
    return {
      commands: names.slice(0, SHOWN_ZONES).map(add),
      isDecided: areZonesCurrent || exact !== undefined,
    };
  const known = candidates.known.filter(({ label }) => has(label, q));
  const isMeant = ({ label }: Command): boolean => isExact(label, q);
  const leading = recentFound.length > 0 || known.length === 0 ? exact : undefined;
  const first = [...new Set([...(leading === undefined ? [] : [leading]), ...recentFound])];
  const { recent: kind, zone } = words.commands;
  const openAs = (name: string): Command => open(name, recentFound.includes(name) ? kind : zone);
  const added = q === '' || !mayAdd ? [] : recent.map(add).filter(({ label }) => has(label, q));
  const commands = [
    ...known.filter(isMeant),
    ...first.map(openAs),
    ...known.filter((command) => !isMeant(command)),
    ...names
      .filter((name) => !first.includes(name))
      .slice(0, SHOWN_ZONES)
      .map(openAs),
    ...added,
    ...(q === '' ? [] : [search]),
  ];
  return {
    commands: commands.filter(({ label }, index) => commands.findIndex((one) => one.label === label) === index),
    isDecided:
      areZonesCurrent || known.some(isMeant) || leading !== undefined || (recentFound.length === 0 && known.length > 0),
  };
}
