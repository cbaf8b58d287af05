import { count, number, records } from './numbers.js';

/** Texts about a zone file: its findings, their corrections and its lines. */
export const englishFile = {
  nameServers: 'Import the name servers of the old provider',
  nameServersHint: 'Leave it unchecked to keep the name servers of this zone.',
  skipped: (n: number) =>
    `${records(n)} of the file ${n === 1 ? 'is' : 'are'} left out: Zonewright manages the SOA and the name servers of the zone.`,
  line: (line: number) => `line ${number.format(line)}`,
  showLine: (line: number) => `Show line ${number.format(line)}`,
  fixes: {
    dot: 'Add final dot',
    quote: 'Quote the SPF',
    leaveOut: 'Leave out the record',
    skipNameServers: 'Leave out the name servers',
  },
  fix: (fix: string, line: number, record: string) => `${fix}: line ${number.format(line)}, ${record}`,
  fixAll: (n: number) => `Fix all ${number.format(n)} missing dots and quotes`,
  left: (n: number) => (n === 0 ? 'No findings left' : `${count(n, 'finding', 'findings')} left`),
};
