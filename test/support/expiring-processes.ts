import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { formatInstant } from '../../src/common/clock.js';
import { expectStatus } from './answers.js';
import { audit } from './audit.js';
import { domainOf, newDomain, type TestDomain } from './domain.js';
import { type JournalEntry, journalOf } from './journal.js';
import { killAll, type ServiceProcess, startServiceProcess } from './process.js';
import { type Client, clientsOf, databaseFileIn, environmentOf, removeTestData, type Settings } from './service.js';
import { until } from './until.js';

const EXPIRING: Settings = { SERVICE_API__EXPIRING_RECORDS: 'True' };
/** Milliseconds that a busy machine may need for one second of work. */
const PATIENCE = 120_000;
/** Includes process starts. */
export const LONGEST = 3 * PATIENCE;

/** Processes of the service on one database, which are killed while records of it expire. */
export class ExpiringProcesses {
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    private readonly directory: string,
    readonly domains: TestDomain[] = [],
  ) {}

  static async inNewDirectory(): Promise<ExpiringProcesses> {
    return new ExpiringProcesses(await mkdtemp(join(tmpdir(), 'zonewright-')));
  }

  async start(settings = EXPIRING): Promise<ServiceProcess> {
    const started = await startServiceProcess(this.directory, environmentOf(this.directory, settings));
    this.processes.push(started);
    return started;
  }

  /**
   * New domains with records that expire together after `seconds`, or later on a slow machine. Returns the last expiry,
   * in `Date` milliseconds.
   */
  async fill({ url }: ServiceProcess, count: { domains: number; records: number }, seconds: number): Promise<number> {
    const client = clientsOf(url);
    for (let made = 0; made < count.domains; made += 1) this.domains.push(await newDomain(client));
    let at = 0;
    for (const domain of this.domains) at = await expiringIn(client, domain, count.records, seconds * 1000);
    return at;
  }

  async kill(one: ServiceProcess): Promise<void> {
    killAll(one);
    await one.ended;
  }

  async untilSomeAreGone(): Promise<void> {
    await until(() => this.domains.some((domain) => this.deletionsIn(domain).length > 0), PATIENCE);
  }

  async untilAllAreGone({ url }: ServiceProcess): Promise<void> {
    const client = clientsOf(url);
    for (const domain of this.domains)
      await until(async () => (await domainOf(client, domain).records()).length === 0, PATIENCE);
  }

  journalOf({ id }: TestDomain): JournalEntry[] {
    return journalOf(databaseFileIn(this.directory), id);
  }

  deletionsIn(domain: TestDomain): string[] {
    return this.journalOf(domain)
      .filter(({ action }) => action === 'record.delete')
      .map((entry) => entry.record_id ?? '');
  }

  expectEachOnce(count: number): void {
    for (const domain of this.domains) {
      const deletions = this.deletionsIn(domain);
      expect(deletions).toHaveLength(count);
      expect(new Set(deletions).size).toBe(count);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => this.kill(one)));
    audit(databaseFileIn(this.directory));
    await removeTestData(this.directory);
  }
}

/** A time that is over by the time of the change is refused: then one twice as far away is tried. */
async function expiringIn(client: Client, domain: TestDomain, records: number, lead: number): Promise<number> {
  const at = Date.now() + lead;
  const changes = Array.from({ length: records }, (_, label) => ({
    action: 'create',
    record: { name: domain.at(`h${label}`), type: 'A', data: '192.0.2.1', expires_at: formatInstant(at * 1000) },
  }));
  const answer = await client.call('post', `/v1/domains/${domain.id}/changes`, { changes });
  if (answer.text.includes('this time has already passed')) return expiringIn(client, domain, records, lead * 2);
  expectStatus(answer, 200);
  return at;
}
