import { count } from './numbers.js';

/** Texts about moves that pages outside the wizard show. */
export const englishMoves = {
  heading: 'Move a domain in',
  inProgress: 'Moves in progress',
  continue: 'Continue',
  continueOf: (domain: string) => `Continue the move of ${domain}`,
  steps: {
    source: 'Source',
    records: 'Records',
    compare: 'Comparison',
    'name-servers': 'Name servers',
    delegation: 'Delegation',
    dnssec: 'DNSSEC',
  },
  signOut: (n: number) =>
    `Signing out removes ${count(n, 'move in progress', 'moves in progress')} from this browser. Zones stay as they are.`,
  stepOf: (position: number, all: number, title: string) => `Step ${position} of ${all}: ${title}`,
};
