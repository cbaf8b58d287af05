import { number } from './numbers.js';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

export const englishAnswers = {
  /** About a field without a label. */
  value: 'This value',
  unreachable: 'Cannot reach Zonewright.',
  sessionOver: 'Your session expired. Sign in to continue.',
  cutOff: 'The connection ended before the complete answer arrived.',
  status: (status: number) => `The service answered ${number.format(status)}.`,
  shown: (value: string | number | readonly string[]) =>
    typeof value === 'string' ? value : typeof value === 'number' ? number.format(value) : either.format(value),
  andOthers: (n: number) => `${number.format(n)} more of this kind.`,
};
