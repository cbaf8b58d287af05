import { markdown } from '../markdown.mjs';
import { formatNumber } from '../report.mjs';

/** Displayed figures of each size, in page order. */
const SHOWN = [
  ['made, 1/s', 'domains made a second, 32 connections'],
  ['filled, 1/s', 'domains filled with ten records a second, 32 connections'],
  ['MB after making', 'memory after they were made, MB'],
  ['MB after start', 'memory after a start, MB'],
  ['core at rest after start', 'share of a core at rest, one of four name servers down'],
  ['start, s', 'start, s'],
  ['first NOTIFY, s', 'first NOTIFY after a start, s'],
  ['slowest page by index, ms', 'slowest page in the order of an index, ms'],
  ['slowest page by search, ms', 'slowest page that is searched for, ms'],
  ['catalog AXFR, s', 'catalog zone as a whole, first time, s'],
  ['catalog IXFR, ms', 'IXFR of one more member, ms'],
  ['comes back, zones/s', 'domains a second that a server is told of when it comes back'],
  ['check, s', '`zonewright check`, s'],
  ['check, MB', '`zonewright check`, memory at most, MB'],
];

/** One column for each database and size. */
export function widthTable(sqlite, postgres) {
  const measured = [
    ...(sqlite?.results ?? []).map((figures) => ({ database: 'SQLite', figures })),
    ...(postgres?.results ?? []).map((figures) => ({ database: 'PostgreSQL', figures })),
  ];
  if (measured.length === 0) return 'Not measured yet: `npm run bench:width`.';
  return markdown(
    ['domains', ...measured.map(({ database, figures }) => `${database}, ${formatNumber(figures.domains)}`)],
    SHOWN.map(([name, what]) => [what, ...measured.map(({ figures }) => figures[name] ?? '')]),
  );
}
