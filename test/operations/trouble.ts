import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { answerOf, expectRefusal, expectStatus } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { killAll, type ServiceProcess, startServiceProcess, wordsIn } from '../support/process.js';
import { type Clients, clientsOf } from '../support/service.js';

/** A change waits for a connection or for another process's lock for five seconds; nothing takes much longer. */
const LONGEST_ANSWER = 7000;
const LONGEST_RECOVERY = 5000;

/** A service with a failing database, and the acknowledged changes. */
export class TroubledService {
  /** The names of the records whose creation was acknowledged. */
  readonly acknowledged: string[] = [];
  /** Names refused with 503. */
  readonly refused: string[] = [];

  private constructor(
    private readonly directory: string,
    private readonly env: Record<string, string>,
    /** The file, or the URL, that the database is looked into by. */
    private readonly database: string,
    private process: ServiceProcess,
    public domain: TestDomain,
    private readonly longestAnswer: number,
  ) {}

  /** @param longestAnswer in milliseconds */
  static async start(
    directory: string,
    env: Record<string, string>,
    database: string,
    longestAnswer = LONGEST_ANSWER,
  ): Promise<TroubledService> {
    const process = await startServiceProcess(directory, env);
    const domain = await newDomain(clientsOf(process.url));
    return new TroubledService(directory, env, database, process, domain, longestAnswer);
  }

  get client(): Clients {
    return clientsOf(this.process.url);
  }

  /** Creates a record and checks the response: success, or 503 with Retry-After in bounded time. */
  async create(label: string, octets = 8): Promise<Response> {
    const name = this.domain.at(label);
    const start = performance.now();
    const answer = await this.domain.create({ name, type: 'TXT', data: 'x'.repeat(octets) });
    expect(performance.now() - start).toBeLessThan(this.longestAnswer);
    if (answer.status === 200) this.acknowledged.push(name);
    else {
      expectUnavailable(answer);
      this.refused.push(name);
    }
    return answer;
  }

  /** Creates records until one is refused. */
  async createUntilRefused(octets = 8): Promise<void> {
    for (let at = 0; at < 500; at++) if ((await this.create(`until${String(at)}`, octets)).status !== 200) return;
    throw new Error('nothing was refused');
  }

  async expectAlive(): Promise<void> {
    const start = performance.now();
    await answerOf(this.client.plain('get', '/healthz'));
    expect(performance.now() - start).toBeLessThan(1000);
  }

  /** Alive, and not ready. */
  async expectUnready(): Promise<void> {
    await this.expectAlive();
    expectUnavailable(await this.becomes(503));
  }

  /** Alive, reading, and not ready. */
  async expectReadingOnly(): Promise<void> {
    await this.expectUnready();
    await this.expectNothingLost();
  }

  async expectExport(): Promise<void> {
    expectStatus(await this.client.call('get', `/v1/domains/${this.domain.id}/export`), 200);
  }

  /** An export needs its own connection, which cannot open, and returns no text written earlier. */
  async expectNoExport(): Promise<void> {
    expectUnavailable(await this.client.call('get', `/v1/domains/${this.domain.id}/export`));
  }

  /** How many lines of the log begin so. */
  linesBeginning(words: string): number {
    return wordsIn(this.process.output().stdout).filter((line) => line.startsWith(words)).length;
  }

  /** The service is ready and accepts changes again without intervention. */
  async expectRecovery(): Promise<void> {
    await this.becomes(200);
    expect((await this.create('recovered')).status).toBe(200);
    await this.expectNothingLost();
    expect(this.process.output().stderr).toBe('');
  }

  /** Exactly the acknowledged records exist. */
  async expectNothingLost(): Promise<void> {
    expect(await this.storedNames()).toEqual([...this.acknowledged].sort());
  }

  /** Refused changes that the server committed: their response was lost. */
  async acknowledgeWhatCameThrough(): Promise<readonly string[]> {
    const stored = await this.storedNames();
    const cameThrough = this.refused.filter((name) => stored.includes(name));
    this.acknowledged.push(...cameThrough);
    return cameThrough;
  }

  private async storedNames(): Promise<string[]> {
    return (await this.domain.records()).map(({ name }) => name).sort();
  }

  /** The body of /readyz when it reaches that status. */
  private async becomes(status: number): Promise<Response> {
    const ask = (): Test => this.client.plain('get', '/readyz');
    const deadline = performance.now() + LONGEST_RECOVERY + this.longestAnswer;
    let answer = await ask();
    while (answer.status !== status && performance.now() < deadline) {
      await delay(100);
      answer = await ask();
    }
    expect(answer.status).toBe(status);
    return answer;
  }

  /** Also ends processes of a failed test. */
  async kill(): Promise<void> {
    killAll(this.process);
    await this.process.ended;
  }

  async restart(): Promise<void> {
    this.process = await startServiceProcess(this.directory, this.env);
    this.domain = domainOf(this.client, this.domain);
  }

  async stop(): Promise<void> {
    this.process.signal('SIGTERM');
    expect(await this.process.ended).toMatchObject({ code: 0, stderr: '' });
    audit(this.database);
  }
}

export function expectUnavailable(answer: Response): void {
  expectRefusal(answer, { status: 503, type: 'unavailable' });
  expect(answer.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
}
