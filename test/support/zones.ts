import type { Test } from 'supertest';
import { answerOf, bodyOf, refusalOf } from './bodies.js';
import { newDomain, type TestDomain } from './domain.js';
import type { Client } from './service.js';

export interface ImportBody {
  readonly mode: string;
  readonly dry_run: boolean;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: number;
}

export interface FindingBody {
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

export interface CheckBody {
  readonly errors: readonly FindingBody[];
  readonly warnings: readonly FindingBody[];
}

/** A domain made for one test, and its zone file in and out. */
export interface TestZone extends TestDomain {
  /** `query` as in a URL, with its question mark. */
  sendFile(file: string | Buffer, query?: string): Test;
  /** An import that succeeds, and what it did. */
  import(file: string | Buffer, query?: string): Promise<ImportBody>;
  /** An import that is refused for what the file says, and its faults as `line:column message`. */
  refuse(file: string | Buffer, query?: string): Promise<string[]>;
  fetchFile(): Test;
  export(): Promise<string>;
  check(): Promise<CheckBody>;
}

export async function newZone(client: Client, name?: string): Promise<TestZone> {
  return zoneOf(client, await newDomain(client, name));
}

export function zoneOf(client: Client, domain: TestDomain): TestZone {
  const path = `/v1/domains/${domain.id}`;
  const sendFile = (file: string | Buffer, query = ''): Test =>
    client.call('post', `${path}/import${query}`).set('Content-Type', 'text/dns').send(file);
  const fetchFile = (): Test => client.call('get', `${path}/export`);
  return {
    ...domain,
    sendFile,
    import: (file, query) => bodyOf<ImportBody>(sendFile(file, query)),
    refuse: async (file, query) => {
      const { errors = [] } = await refusalOf(sendFile(file, query), 400, 'invalid_object');
      return errors.map(({ path: place, message }) => `${place.replace(PLACE, '$1:$2')} ${message}`);
    },
    fetchFile,
    export: async () => (await answerOf(fetchFile())).text,
    check: () => bodyOf<CheckBody>(client.call('get', `${path}/check`)),
  };
}

const PLACE = /^line (\d+), column (\d+)$/;

/** The records of an export without its comments: `owner ttl type data`, in the order of the file. */
export function linesOfExport(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => line.replace('\tIN\t', '\t').split('\t').join(' '));
}
