import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';

import { DomainName } from '../../src/dns/name.js';
import { SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';

/** A record as a program understood it. */
export interface ReadRecord {
  readonly owner: DomainName;
  readonly code: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** What a program says to a zone file: its records, or undefined when it refuses the file. */
export interface Verdict {
  readonly records: readonly ReadRecord[] | undefined;
  readonly said: string;
}

/** A program that reads zone files; the records of those that only print them are read out of their print by dnspython. */
export interface ZoneProgram {
  readonly name: string;
  /** Executables that it needs, and the Debian packages that they come from. */
  readonly needs: Readonly<Record<string, string>>;
  read(zone: DomainName, file: string | Uint8Array): Promise<Verdict>;
}

const PYTHON = '/usr/bin/python3';
const DNSPYTHON = { [PYTHON]: 'python3-dnspython' };

export const NAMED_CHECKZONE: ZoneProgram = {
  name: 'named-checkzone',
  needs: { 'named-checkzone': 'bind9-utils' },
  read: (zone, file) =>
    inDirectory(async (directory) => {
      const path = await save(directory, file);
      const raw = join(directory, 'raw');
      // Without -i local it would ask the network for the addresses of name servers elsewhere.
      const run = await call('named-checkzone', ['-i', 'local', '-D', '-F', 'raw', '-o', raw, zone.toString(), path]);
      return { records: run.failed ? undefined : readRawZone(await readFile(raw)), said: run.said };
    }),
};

export const KZONECHECK: ZoneProgram = {
  name: 'kzonecheck',
  needs: { kzonecheck: 'knot-dnssecutils', kzonesign: 'knot-dnssecutils', keymgr: 'knot', ...DNSPYTHON },
  read: (zone, file) =>
    inDirectory(async (directory) => {
      const path = await save(directory, file);
      const check = await call('kzonecheck', ['-v', '-o', zone.toString(), path]);
      if (check.failed) return { records: undefined, said: check.said };
      // kzonecheck prints no zone, but its sister does: signed, and otherwise as Knot has understood it.
      const records = await readWithDnspython(zone, await signWithKnot(directory, zone, path));
      return { records: records.filter(({ code }) => !MADE_BY_SIGNING.has(code)), said: check.said };
    }),
};

export const NSD_CHECKZONE: ZoneProgram = {
  name: 'nsd-checkzone',
  needs: { 'nsd-checkzone': 'nsd', ...DNSPYTHON },
  read: (zone, file) =>
    inDirectory(async (directory) => {
      const run = await call('nsd-checkzone', ['-p', zone.toString(), await save(directory, file)]);
      return { records: run.failed ? undefined : await readWithDnspython(zone, run.printed), said: run.said };
    }),
};

export const LDNS_READ_ZONE: ZoneProgram = {
  name: 'ldns-read-zone',
  needs: { 'ldns-read-zone': 'ldnsutils' },
  read: (zone, file) =>
    inDirectory(async (directory) => {
      // It has no option for the origin, and prints some data so that only ldns itself can read it.
      const origin = Buffer.from(`$ORIGIN ${zone.toString()}\n`);
      const path = await save(directory, Buffer.concat([origin, Buffer.from(file)]));
      const run = await call('ldns-read-zone', [...IN_OCTETS, path]);
      return { records: run.failed ? undefined : readGenericLines(run.printed), said: run.said };
    }),
};

const IN_OCTETS = [...STANDARD_TYPES, SOA].flatMap(({ name }) => ['-u', name]);

export const DNSPYTHON_ZONE: ZoneProgram = {
  name: 'dnspython',
  needs: DNSPYTHON,
  read: (zone, file) =>
    inDirectory(async (directory) => {
      const run = await call(PYTHON, ['-c', DNSPYTHON_SCRIPT, await save(directory, file), zone.toString()]);
      return { records: run.failed ? undefined : readLines(run.printed), said: run.said };
    }),
};

export const ZONE_PROGRAMS = [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE, LDNS_READ_ZONE, DNSPYTHON_ZONE];

/** `it` where the program is there; where not, a failure on CI, and a test that is skipped loudly elsewhere. */
export function itWith({ name, needs }: ZoneProgram): (title: string, test: () => Promise<void>) => void {
  const packages = new Set(
    Object.entries(needs).flatMap(([command, debian]) => (isInstalled(command) ? [] : [debian])),
  );
  if (packages.size === 0) return it;
  const complaint = `${name} is missing: apt-get install ${[...packages].join(' ')}`;
  if (process.env.CI) {
    return (title) => {
      it(title, () => {
        throw new Error(complaint);
      });
    };
  }
  // Past jest's own console, which says nothing of skipped tests.
  writeFileSync(process.stderr.fd, `\nSKIPPED: ${complaint}\n`);
  return (title) => {
    it.skip(`${title} (${complaint})`, () => undefined);
  };
}

interface Run {
  readonly failed: boolean;
  readonly printed: string;
  /** All that it said, for messages. */
  readonly said: string;
}

/** Debian keeps some of the programs where only root looks. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/local/sbin', '/usr/sbin', '/sbin'];

function pathOf(command: string): string | undefined {
  const paths = command.startsWith('/') ? [command] : FOLDERS.map((folder) => join(folder, command));
  return paths.find((path) => existsSync(path));
}

function isInstalled(command: string): boolean {
  return (
    pathOf(command) !== undefined && (command !== PYTHON || DNSPYTHON_FOLDERS.some((folder) => existsSync(folder)))
  );
}

const DNSPYTHON_FOLDERS = ['/usr/lib/python3/dist-packages/dns', '/usr/local/lib/python3/dist-packages/dns'];

function call(command: string, parameters: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const options = { timeout: 20_000, maxBuffer: 2 ** 28, encoding: 'latin1' as const };
    execFile(pathOf(command) ?? command, parameters, options, (error, stdout, stderr) => {
      resolve({
        failed: error !== null,
        printed: stdout,
        said: [error?.message, stdout, stderr].filter(Boolean).join('\n'),
      });
    });
  });
}

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-interop-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function save(directory: string, file: string | Uint8Array): Promise<string> {
  const path = join(directory, 'zone');
  await writeFile(path, file);
  return path;
}

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
  const run = await call(command, parameters);
  if (run.failed) throw new Error(run.said);
}

/** What another program printed; it is no fault of that program's input when dnspython cannot read it. */
async function readWithDnspython(zone: DomainName, printed: string): Promise<readonly ReadRecord[]> {
  const { records, said } = await DNSPYTHON_ZONE.read(zone, printed);
  if (!records) throw new Error(`dnspython cannot read what was printed: ${said}\n${printed}`);
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
