import { count, number } from './numbers.js';

export const englishNameServers = {
  heading: 'Name servers',
  states: { current: 'Up to date', behind: 'Behind', unreachable: 'Unreachable', unknown: 'Not checked yet' },
  facts: {
    behind: 'Zones behind',
    behindSince: 'Behind since',
    unreachableSince: 'Unreachable since',
    lastAnswer: 'Last answer',
    lastError: 'Last error',
  },
  moreThan: (n: number) => `More than ${number.format(n)} of your zones`,
  total: (n: number) => (n === 0 ? 'None of your zones' : count(n, 'of your zones', 'of your zones')),
  zones: 'Longest unchanged first',
  filter: 'Filter by publication',
  filters: { pending: 'Behind', failed: 'Refused' },
  behindOn: (server: string) => `Behind on ${server}`,
  noZones: 'No zones match this filter. Clear it to see all zones.',
  publicationOf: (state: string, zone: string) => `${state}: publication of ${zone}`,
};

export const englishDelegation = {
  heading: 'Delegation at the parent',
  unseen: 'Zonewright sees the delegation of signed zones whose parent zone it can ask. See',
  seen: (parent: string) => `NS records of this zone on the name servers of ${parent}. Last check:`,
  columns: { server: 'Name server of the parent zone', ns: 'Delegated to', state: 'State' },
  states: {
    same: 'Same as in the zone',
    other: 'Differs from the zone',
    none: 'Not delegated',
  },
};
