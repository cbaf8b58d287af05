import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { bodyOf } from './answers.js';
import type { DomainBody } from './bodies.js';
import { transfer } from './dns-client.js';
import type { TestDomain } from './domain.js';
import { freePort } from './name-servers/name-servers.js';
import { ON_POSTGRES } from './postgres/databases.js';
import { seededAddress } from './seed.js';
import { type Client, databaseFileIn, startTestService, type TestService } from './service.js';
import { lookInto } from './stored.js';

/** A large change writes in several transactions on SQLite. On PostgreSQL it locks the zone alone. */
export const COUNT = ON_POSTGRES ? 3000 : 10_000;
export const PATIENCE = 120_000;
/** Records of the domain that `FILE` has, too. */
export const KEPT = 500;

/** Replaces all but the first records of a seeded domain, and one name by another. */
export const FILE = Array.from({ length: COUNT }, (_, at) =>
  at < KEPT ? `h${at} A ${seededAddress(at)}\n` : `${at % 7 === 0 ? 'n' : 'h'}${at} A 192.0.2.1\n`,
).join('');

export interface ChangeBody {
  readonly change_id: string;
  readonly serial: number;
  readonly serial_before: number;
  readonly records: { readonly created: number; readonly updated: number; readonly deleted: number };
}

/** A service with large domains, and a look into its database. */
export class LargeDomains {
  private constructor(
    readonly directory: string,
    readonly port: number,
    readonly settings: Record<string, string>,
    public service: TestService,
  ) {}

  static async start(more: Record<string, string> = {}): Promise<LargeDomains> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const port = await freePort();
    const settings = {
      DEFAULT__QUOTA_ZONE_RECORDS: '200000',
      DEFAULT__QUOTA_ZONE_RECORDSETS: '200000',
      DEFAULT__QUOTA_API_EXPORT_SIZE: '200000',
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
      SERVICE_API__CHANGES_PER_MINUTE: '0',
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      ...more,
    };
    return new LargeDomains(directory, port, settings, await startTestService(settings, directory));
  }

  get owner(): Client {
    return this.service.as('acme');
  }

  get database(): string {
    return databaseFileIn(this.directory);
  }

  count(sql: string): number {
    const select = `SELECT COUNT(*) AS count FROM ${sql}`;
    return lookInto(this.database, ({ rows }) => rows<{ count: number }>(select))[0]!.count;
  }

  isMoved({ id }: DomainBody): boolean {
    return this.count(`moved_contents WHERE zone = '${id}'`) === 1;
  }

  /** Rows that are written ahead, or removed later. */
  unseenRows(): number {
    return this.count('staged_changes') + this.count('incoming_zones') + this.count('left_contents');
  }

  isStaged(): boolean {
    return this.count('staged_changes') > 0;
  }

  /** The latest first. */
  async changesOf({ id }: DomainBody): Promise<readonly ChangeBody[]> {
    const path = `/v1/domains/${id}/changes?limit=3`;
    return (await bodyOf<{ changes: ChangeBody[] }>(this.owner.call('get', path))).changes;
  }

  async transferOf({ name }: Pick<TestDomain, 'name'>, type: number, serial?: number): Promise<ResourceRecord[]> {
    const { records } = await transfer({ port: this.port }, { name, type, ...(serial !== undefined && { serial }) });
    return [...records];
  }
}

export const textsOf = (records: readonly ResourceRecord[]): string[] =>
  records.map(({ owner, type, rdata }) => `${owner.toString()} ${type} ${Buffer.from(rdata).toString('hex')}`).sort();

/** Creates records in a domain one after the other while `work` is under way. Returns how many. */
export async function creatingDuring<T>(other: TestDomain, work: Promise<T>): Promise<[T, number]> {
  const state = { isOver: false };
  let created = 0;
  const ended = work.finally(() => (state.isOver = true));
  while (!state.isOver) await other.newRecord({ name: other.at(`x${(created += 1)}`) });
  return [await ended, created];
}
