import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DomainName } from '../../src/dns/name.js';
import { SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { type Program, run, withFile } from './run-program.js';

/** A record as a program understood it. */
export interface ReadRecord {
  readonly owner: DomainName;
  readonly code: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** The result of a program for a zone file: its records, or undefined after a refusal. */
export interface Verdict {
  readonly records: readonly ReadRecord[] | undefined;
  readonly output: string;
}

/** A program that reads zone files; BIND parses the output of programs that only print. */
export interface ZoneProgram extends Program {
  read(zone: DomainName, file: string | Uint8Array): Promise<Verdict>;
}

const NAMED = { 'named-checkzone': 'bind9-utils' };

export const NAMED_CHECKZONE: ZoneProgram = {
  name: 'named-checkzone',
  needs: NAMED,
  // All checks except those of outside names, which would query the network.
  read: (zone, file) => readWithNamed(zone, file, ['-i', 'local']),
};

export const KZONECHECK: ZoneProgram = {
  name: 'kzonecheck',
  needs: { kzonecheck: 'knot-dnssecutils', kzonesign: 'knot-dnssecutils', keymgr: 'knot', ...NAMED },
  read: (zone, file) =>
    withFile(file, async (path, directory) => {
      const { failed, output } = await run('kzonecheck', ['-v', '-o', zone.toString(), path]);
      if (failed && !isLoadedByKnot(output)) return { records: undefined, output };
      // kzonecheck prints no zone, but its sister does: signed, and otherwise as Knot has understood it.
      const records = await readPrint(zone, withoutBrackets(await signWithKnot(directory, zone, path)));
      return { records: records.filter(({ code }) => !MADE_BY_SIGNING.has(code)), output };
    }),
};

/** The findings of kzonecheck alone: knotd loads DS records of any digest type, from files and transfers. */
const isLoadedByKnot = (output: string): boolean =>
  output.includes('] invalid algorithm in DS') && !/\] (?!invalid algorithm in DS)/.test(output);

export const NSD_CHECKZONE: ZoneProgram = {
  name: 'nsd-checkzone',
  needs: { 'nsd-checkzone': 'nsd', ...NAMED },
  read: (zone, file) =>
    withFile(file, async (path) => {
      const { failed, stdout, output } = await run('nsd-checkzone', ['-p', zone.toString(), path]);
      return { records: failed ? undefined : await readPrint(zone, stdout), output };
    }),
};

export const LDNS_READ_ZONE: ZoneProgram = {
  name: 'ldns-read-zone',
  needs: { 'ldns-read-zone': 'ldnsutils' },
  // It has no option for the origin, and prints some data so that only ldns itself can read it.
  read: (zone, file) =>
    withFile(Buffer.concat([Buffer.from(`$ORIGIN ${zone.toString()}\n`), Buffer.from(file)]), async (path) => {
      const { failed, stdout, output } = await run('ldns-read-zone', [...IN_OCTETS, path]);
      return { records: failed ? undefined : readGenericLines(stdout), output };
    }),
};

const IN_OCTETS = [...STANDARD_TYPES, SOA].flatMap(({ name }) => ['-u', name]);

export const DNSPYTHON_ZONE: ZoneProgram = {
  name: 'dnspython',
  needs: { '/usr/lib/python3/dist-packages/dns/zone.py': 'python3-dnspython' },
  read: (zone, file) =>
    withFile(file, async (path) => {
      const { failed, stdout, output } = await run('/usr/bin/python3', ['-c', DNSPYTHON_SCRIPT, path, zone.toString()]);
      return { records: failed ? undefined : readLines(stdout), output };
    }),
};

export const ZONE_PROGRAMS = [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE, LDNS_READ_ZONE, DNSPYTHON_ZONE];

/** RRSIG, NSEC, DNSKEY. */
const MADE_BY_SIGNING: ReadonlySet<number> = new Set([46, 47, 48]);

async function signWithKnot(directory: string, zone: DomainName, path: string): Promise<string> {
  const configuration = join(directory, 'knot.conf');
  await writeFile(configuration, knotConfiguration(directory, zone, path));
  await succeed('keymgr', [
    '-c',
    configuration,
    zone.toString(),
    'generate',
    'algorithm=ed25519',
    'ksk=yes',
    'zsk=yes',
  ]);
  await succeed('kzonesign', ['-c', configuration, '-o', join(directory, 'signed'), zone.toString()]);
  return readFile(join(directory, 'signed', 'zone'), 'latin1');
}

/** Knot escapes every character that no host has, and BIND has other plans with an escaped bracket. */
function withoutBrackets(printed: string): string {
  return printed.replace(/\\(.)/g, (escape, character) => (character === '[' ? '\\091' : escape));
}

function knotConfiguration(directory: string, zone: DomainName, path: string): string {
  return `database:
    storage: "${directory}"
policy:
  - id: p
    algorithm: ed25519
    single-type-signing: on
    cds-cdnskey-publish: none
    rrsig-lifetime: 100d
zone:
  - domain: "${zone.toString()}"
    file: "${path}"
    dnssec-signing: on
    dnssec-policy: p
`;
}

async function succeed(command: string, parameters: readonly string[]): Promise<void> {
  const { failed, output } = await run(command, parameters);
  if (failed) throw new Error(output);
}

function readWithNamed(zone: DomainName, file: string | Uint8Array, checks: readonly string[]): Promise<Verdict> {
  return withFile(file, async (path, directory) => {
    const raw = join(directory, 'raw');
    const dump = ['-D', '-F', 'raw', '-o', raw];
    const { failed, output } = await run('named-checkzone', [...checks, ...dump, zone.toString(), path]);
    return { records: failed ? undefined : readRawZone(await readFile(raw)), output };
  });
}

/** The output of another program, whether or not BIND accepts such a zone. */
async function readPrint(zone: DomainName, printed: string): Promise<readonly ReadRecord[]> {
  const lenient = [
    '-i',
    'none',
    ...['-k', '-m', '-n', '-r', '-M', '-S', '-T', '-W'].flatMap((check) => [check, 'ignore']),
  ];
  const { records, output } = await readWithNamed(zone, printed, lenient);
  if (!records) throw new Error(`BIND cannot read what was printed: ${output}\n${printed}`);
  return records;
}

const DNSPYTHON_SCRIPT = `
import sys, dns.zone
zone = dns.zone.from_file(sys.argv[1], sys.argv[2], relativize=False, check_origin=False)
for name, ttl, rdata in zone.iterate_rdatas():
    print(name.to_wire().hex(), int(rdata.rdtype), ttl, rdata.to_wire().hex())
`;

function readLines(lines: string): ReadRecord[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [owner = '', code, ttl, rdata = ''] = line.split(' ');
      return {
        owner: DomainName.read(Buffer.from(owner, 'hex')),
        code: Number(code),
        ttl: Number(ttl),
        rdata: Buffer.from(rdata, 'hex'),
      };
    });
}

/** RFC 3597 §5: every type and all data by number. */
function readGenericLines(lines: string): ReadRecord[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, owner = '', ttl, code, rdata = ''] =
        /^(\S+)\t(\d+)\tIN\tTYPE(\d+)\t\\# \d+ ?([0-9a-f]*)$/.exec(line) ?? [];
      return { owner: DomainName.parse(owner), code: Number(code), ttl: Number(ttl), rdata: Buffer.from(rdata, 'hex') };
    });
}

/** BIND's raw format, version 1: a header of 24 octets, and record sets in wire form. */
function readRawZone(raw: Buffer): ReadRecord[] {
  const records: ReadRecord[] = [];
  for (let at = 24; at < raw.length; at += raw.readUInt32BE(at)) {
    const [code, ttl, count] = [raw.readUInt16BE(at + 6), raw.readUInt32BE(at + 10), raw.readUInt32BE(at + 14)];
    const owner = DomainName.read(raw, at + 20);
    let start = at + 20 + raw.readUInt16BE(at + 18);
    for (let i = 0; i < count; i++) {
      const end = start + 2 + raw.readUInt16BE(start);
      records.push({ owner, code, ttl, rdata: raw.subarray(start + 2, end) });
      start = end;
    }
  }
  return records;
}
