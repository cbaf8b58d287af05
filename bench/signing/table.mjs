import { markdown } from '../markdown.mjs';
import { formatNumber } from '../report.mjs';

/** The cost of signing next to dedicated signers, as in docs/performance.md. */
export function signingTables(signing, renewals, million, inToken) {
  return [
    signing === null ? 'Not measured yet: `npm run bench:signing`.' : signingTable(signing),
    million === null ? 'Not measured yet: `npm run bench:signing -- --million`.' : millionLine(million),
    inToken === null ? 'Not measured yet: `npm run bench:signing -- --token`.' : tokenLine(inToken),
    renewals === null ? 'Not measured yet: `npm run bench:renewals`.' : renewalsTable(renewals),
  ].join('\n\n');
}

function signingTable({ signing, changes, transfers }) {
  const first = markdown(
    ['first signing', 'seconds', 'of processor time', 'memory'],
    signing.map(({ program, seconds, cpu, megabytes }) => [program, seconds, cpu ?? '', unless(megabytes, 'MB')]),
  );
  const changed = markdown(
    ['change of the signed zone', 'until the NOTIFY, p50', 'p99', 'IXFR'],
    changes.map(({ what, p50, p99, ixfr }) => [what, `${p50} ms`, `${p99} ms`, `${ixfr} octets`]),
  );
  const sent = markdown(
    ['AXFR of the signed zone', 'by a process that has just started', 'again', 'of a new serial', 'size'],
    transfers.map(({ name, first: cold, again, cold: next, megabytes }) => [
      ...[name, unless(cold, 's'), `${again} s`, `${next} s`],
      `${megabytes} MB`,
    ]),
  );
  return [first, changed, sent].join('\n\n');
}

function millionLine({ signing: [{ seconds, cpu, megabytes }] }) {
  return `1,000,000 records: ${seconds} s, ${cpu} s of processor time, ${megabytes} MB.`;
}

function tokenLine({ records, signing: [database, token] }) {
  const times = Math.round((100 * token.seconds) / database.seconds) / 100;
  return (
    `With the key in a token of SoftHSM, a first signing of ${formatNumber(records)} records takes ${token.seconds} s,` +
    ` ${times} times that with the key in the database in the same run.`
  );
}

function renewalsTable({ signing, renewing }) {
  return markdown(
    ['small domains', 'domains/s', 'memory', 'creates of another domain, p50', 'p99', 'slowest'],
    [
      ['signed for the first time', signing],
      ['renewed, all due at once', renewing],
    ].map(([what, { perSecond, megabytes, p50, p99, max }]) => [
      ...[what, perSecond, `${megabytes} MB`],
      ...[p50, p99, max].map((time) => `${time} ms`),
    ]),
  );
}

function unless(figure, unit) {
  return figure === undefined || figure === null ? '' : `${figure} ${unit}`;
}
