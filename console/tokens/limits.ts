import type { TokenRequest } from '../api/types.js';
import { entriesOf } from '../parts/entries.js';
import { asciiOf } from '../parts/idn.js';

/** The entered purpose of a new API token. */
export type Wish =
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

export function limitsOf(wish: Wish): Limits {
  switch (wish.preset) {
    case 'zone':
      return { domains: [absolute(wish.zone.trim())] };
    case 'read':
      return { roles: ['reader'] };
    case 'custom':
      return customLimits(wish);
  }
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
function absolute(typed: string): string {
  const name = asciiOf(typed);
  return name.endsWith('.') || name.endsWith('*') ? name : `${name}.`;
}
