import type { ResourceRecord } from '../../src/dns/message/message.js';
import { itWith, type Program, run, withFile } from './run-program.js';

/** Each finds faults that other validators miss. */
const JUDGES = [
  { command: 'dnssec-verify', debian: 'bind9-utils', parameters: (zone: string) => ['-q', '-z', '-o', zone] },
  { command: 'ldns-verify-zone', debian: 'ldnsutils', parameters: () => [] },
  { command: 'kzonecheck', debian: 'knot-dnssecutils', parameters: (zone: string) => ['-d', 'on', '-o', zone] },
] as const;

export const JUDGE: Program = {
  name: 'a judge of signed zones',
  needs: Object.fromEntries(JUDGES.map(({ command, debian }) => [command, debian])),
};
export const itWithJudges = itWith(JUDGE);

/** Faults that the validators report; empty for a valid zone. */
export function faultsOf(zone: string, text: string): Promise<string[]> {
  return faultsFoundBy(JUDGES, zone, text);
}

/** Faults that the first, fastest validator reports. */
export function quickFaultsOf(zone: string, text: string): Promise<string[]> {
  return faultsFoundBy(JUDGES.slice(0, 1), zone, text);
}

async function faultsFoundBy(
  judges: readonly (typeof JUDGES)[number][],
  zone: string,
  text: string,
): Promise<string[]> {
  const verdicts = await withFile(text, (path) =>
    Promise.all(
      judges.map(async ({ command, parameters }) => ({
        command,
        ...(await run(command, [...parameters(zone), path])),
      })),
    ),
  );
  return verdicts.flatMap(({ command, failed, output }) =>
    failed && !isFaultOfKnot(command, output) && !isFaultOfLdns(command, output) ? [`${command}: ${output}`] : [],
  );
}

/**
 * Knot 3.2 finds no valid signature of one set, at the apex or a wildcard, where one of several keys has signed the
 * zone, also with BIND signatures. Other validators check that set.
 */
function isFaultOfKnot(command: string, output: string): boolean {
  const [complaint, ...others] = output.match(/^\[.*$/gm) ?? [];
  const isOfOneSet = complaint?.includes('] no valid signature for a record (') === true && others.length === 0;
  return command === 'kzonecheck' && isOfOneSet;
}

const COMMAND_FAILED = 'Command failed: ';
const LDNS_SUMMARY = 'There were errors in the zone';
const BOGUS_NSAP_PTR = /^Error: Bogus DNSSEC signature for \S+\tNSAP-PTR$/;

/** ldns 1.8 reads the name in an NSAP-PTR as text, and finds each signature of one bogus. The others judge that set then. */
function isFaultOfLdns(command: string, output: string): boolean {
  const lines = output
    .split('\n')
    .filter((line) => line !== '' && line !== LDNS_SUMMARY && !line.startsWith(COMMAND_FAILED));
  return command === 'ldns-verify-zone' && lines.length > 0 && lines.every((line) => BOGUS_NSAP_PTR.test(line));
}

/** A zone file in which every type and all data are written by number (RFC 3597 §5). */
export function genericText(records: readonly Omit<ResourceRecord, 'class'>[]): string {
  return records.map(lineOf).join('');
}

function lineOf({ owner, type, ttl, rdata }: Omit<ResourceRecord, 'class'>): string {
  return `${owner.toString()} ${ttl} IN TYPE${type} \\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}\n`;
}
