import { expect } from '@jest/globals';
import {
  DOCUMENTED_KEY,
  DOCUMENTED_SECRET,
  type NameServer,
  type NameServerName,
} from '../support/name-servers/name-servers.js';
import { run } from '../support/run-program.js';
import { recordsOfFile } from '../support/zone-records.js';

const DIG_KEY = `hmac-sha256:${DOCUMENTED_KEY}:${DOCUMENTED_SECRET}`;
const DRILL_KEY = `${DOCUMENTED_KEY}:${DOCUMENTED_SECRET}:hmac-sha256.`;

type Query = (port: string, zone: string) => readonly [program: string, ...args: string[]];

const dig: Query = (port, zone) => ['dig', '-p', port, '-y', DIG_KEY, '@127.0.0.1', '+noall', '+answer', 'AXFR', zone];
const kdig: Query = (port, zone) => [
  'kdig',
  '-p',
  port,
  '-y',
  DIG_KEY,
  '@127.0.0.1',
  '+noall',
  '+answer',
  'AXFR',
  zone,
];
const drill: Query = (port, zone) => ['drill', '-p', port, '-y', DRILL_KEY, '@127.0.0.1', 'AXFR', zone];

/** Each is read with another program, and not with its own. */
const READER: Readonly<Record<NameServerName, Query>> = { BIND: kdig, Knot: dig, NSD: drill, PowerDNS: dig };

/** The transferred zone equals this zone file. */
export async function expectOnServer({ name, port }: NameServer, zone: string, exported: string): Promise<void> {
  const [program, ...args] = READER[name](String(port), zone);
  const { stdout, failed, output } = await run(program, args);
  if (failed) throw new Error(`${name}: ${output}`);
  const [served, expected] = [stdout, exported].map((text) => recordsOfFile(text, zone).map(KNOWN_FAULTS[name]));
  expect([name, ...(served ?? [])]).toEqual([name, ...(expected ?? [])]);
}

type Line = (line: string) => string;
const asItIs: Line = (line) => line;

/** PowerDNS 4.7 gives CDS and CDNSKEY the negative TTL of the zone, regardless of the transfer. */
const withoutTtlOfKeys: Line = (line) => line.replace(/ \d+ (CDS|CDNSKEY) /, ' $1 ');

const KNOWN_FAULTS: Readonly<Record<NameServerName, Line>> = {
  BIND: asItIs,
  Knot: asItIs,
  NSD: asItIs,
  PowerDNS: withoutTtlOfKeys,
};
