import type { TokenRequest } from '../api/types.js';
import { entriesOf } from '../parts/entries.js';

/** What a new token is for, as it was entered. */
export type Wish =
  | { readonly preset: 'acme'; readonly hosts: string }
  | { readonly preset: 'zone'; readonly zone: string }
  | { readonly preset: 'read' }
  | {
      readonly preset: 'custom';
      readonly domains: string;
      readonly names: string;
      readonly types: string;
      readonly networks: string;
      readonly actions: readonly string[];
    };

type Limits = Pick<TokenRequest, 'domains' | 'names' | 'types' | 'actions' | 'networks' | 'roles'>;

const ACTIONS = ['create', 'update', 'delete'];

/** @param within the zones of the token that it is made with; `null`: all */
export function limitsOf(wish: Wish, within: readonly string[] | null): Limits {
  switch (wish.preset) {
    case 'acme':
      return acmeLimits(entriesOf(wish.hosts), within);
    case 'zone':
      return { domains: [absolute(wish.zone.trim())] };
    case 'read':
      return { roles: ['reader'] };
    case 'custom':
      return customLimits(wish);
  }
}

const CHALLENGE = '_acme-challenge';

/** The challenges of RFC 8555 §8.4, in whichever zones they are; a wildcard is proved as the name below which it is. */
function acmeLimits(hosts: readonly string[], within: readonly string[] | null): Limits {
  const names = [...new Set(hosts.map((host) => `${CHALLENGE}.${absolute(host.replace(/^\*\./, ''))}`))];
  const paths = [...new Set(names.flatMap(pathOf))];
  const known = within?.map((name) => name.toLowerCase());
  const domains = known === undefined ? paths : paths.filter((name) => known.includes(name.toLowerCase()));
  return { domains, names, types: ['TXT'], actions: ['create', 'delete'] };
}

/** The name and all that it may be in a zone of. */
function pathOf(name: string): string[] {
  const labels = name.slice(0, -1).split('.');
  return labels.map((_, index) => `${labels.slice(index).join('.')}.`);
}

function customLimits({ domains, names, types, networks, actions }: Wish & { readonly preset: 'custom' }): Limits {
  const limits = {
    domains: entriesOf(domains).map(absolute),
    names: entriesOf(names).map(absolute),
    types: entriesOf(types).map((type) => type.toUpperCase()),
    networks: entriesOf(networks),
    actions: actions.length === ACTIONS.length ? [] : [...actions],
  };
  return Object.fromEntries(Object.entries(limits).filter(([, entries]) => entries.length > 0));
}

/** A pattern may end with its `*`. */
const absolute = (name: string): string => (name.endsWith('.') || name.endsWith('*') ? name : `${name}.`);
