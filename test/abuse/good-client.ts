import { setMaxListeners } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Request interval in milliseconds, independent of earlier responses. */
const INTERVAL = 25;
const CONNECTIONS = 16;
/** Far below every default quota. */
const MOST_RECORDS = 200;
/** Out of this many requests, one is a whole list and one is an export. */
const WHOLE_EVERY = 20;
/** A request that takes longer has no answer. */
const LONGEST_ANSWER = 60_000;
/** Grace in milliseconds for outstanding responses when the client stops. */
const LAST_ANSWERS = 15_000;

type Headers = Readonly<Record<string, string>>;
const GOOD_TENANT: Headers = { 'X-Auth-Project-ID': 'good-tenant', 'X-Roles': 'member' };

/** A record as its client knows it. Several values: an uncertain last change; `null`: no record. */
interface Known {
  readonly name: string;
  id: string | null;
  possible: readonly (string | null)[];
  isBusy: boolean;
}

/** How a well-behaved client was served. */
export interface ClientFigures {
  readonly requests: number;
  /** From the moment a request was due to the end of its answer, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The p99 latency of reads alone. */
  readonly readP99: number;
  readonly acknowledged: number;
  /** How often each status other than 200 came, and `no answer`. */
  readonly refusals: Readonly<Record<string, number>>;
}

/**
 * A tenant that reads and writes all the time and keeps to every limit: a request each 25 ms, on a few connections that
 * it keeps. It remembers all that was acknowledged.
 */
export class GoodClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private readonly records = new Map<string, Known>();
  private readonly reads: number[] = [];
  private readonly writes: number[] = [];
  private readonly refusals: Record<string, number> = {};
  private readonly open = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  /** Aborts requests without a response. */
  private readonly breakingOff = new AbortController();
  private acknowledged = 0;
  private made = 0;
  private working: Promise<void> = Promise.resolve();

  private constructor(
    private readonly url: string,
    private readonly headers: Headers,
    private readonly domain: { readonly id: string; readonly name: string },
  ) {
    setMaxListeners(0, this.breakingOff.signal);
  }

  /**
   * @param name a domain that no other client uses
   * @param headers identify the client
   */
  static async start(url: string, name: string, headers: Headers = GOOD_TENANT): Promise<GoodClient> {
    const agent = new Agent();
    const body = { name, email: 'hostmaster@example.org' };
    const answer = await send({ agent, url, method: 'POST', path: '/v1/domains', headers, body });
    if (answer.status !== 200) throw new Error(`the good client has no domain: ${JSON.stringify(answer)}`);
    const client = new GoodClient(url, headers, JSON.parse(answer.text) as GoodClient['domain']);
    client.working = client.work();
    return client;
  }

  /** Stops the client; requests without a response may have been applied or not. */
  async stop(): Promise<ClientFigures> {
    this.ending.abort();
    await this.working;
    await Promise.race([Promise.all(this.open), delay(LAST_ANSWERS, undefined, { ref: false })]);
    this.breakingOff.abort();
    await Promise.all(this.open);
    this.agent.destroy();
    const all = [...this.reads, ...this.writes];
    return {
      requests: all.length,
      p50: quantile(all, 0.5),
      p99: quantile(all, 0.99),
      max: Math.max(...all),
      readP99: quantile(this.reads, 0.99),
      acknowledged: this.acknowledged,
      refusals: this.refusals,
    };
  }

  /**
   * Describes each difference between acknowledged records and those shown at `url`.
   * @returns `null` when that service does not list the records
   */
  async differences(url = this.url): Promise<string[] | null> {
    const agent = new Agent();
    const answer = await send({ agent, url, method: 'GET', path: this.path, headers: this.headers });
    if (answer.status !== 200) return null;
    const { records } = JSON.parse(answer.text) as { records: { name: string; data: string }[] };
    const shown = new Map(records.map(({ name, data }) => [name, data]));
    const strangers = records
      .filter(({ name }) => !this.records.has(name))
      .map(({ name }) => `${name}: no client created it`);
    const lost = [...this.records.values()].filter(({ name, possible }) => !possible.includes(shown.get(name) ?? null));
    return [
      ...strangers,
      ...lost.map(({ name, possible }) => `${name} is ${String(shown.get(name))}, told was ${possible.join(' or ')}`),
    ];
  }

  private get path(): string {
    return `/v1/domains/${this.domain.id}/records`;
  }

  private async work(): Promise<void> {
    const start = performance.now();
    for (let at = 0; !this.ending.signal.aborted; at++) {
      const due = start + at * INTERVAL;
      await delay(Math.max(0, due - performance.now()));
      const doing = this.doSomething(at, due).finally(() => this.open.delete(doing));
      this.open.add(doing);
    }
  }

  private async doSomething(at: number, due: number): Promise<void> {
    if (at % WHOLE_EVERY === 0) return this.read(due, this.path);
    if (at % WHOLE_EVERY === 10) return this.read(due, `/v1/domains/${this.domain.id}/export`);
    const record = this.pick(at);
    if ((record === undefined || at % 4 === 0) && this.standing < MOST_RECORDS) return this.create(due);
    if (record === undefined) return this.read(due, `${this.path}?limit=20`);
    if (at % 4 === 2) return this.write(due, record, `updated ${at}`);
    if (at % 40 === 4) return this.write(due, record, null);
    return this.read(due, at % 2 === 1 ? `${this.path}/${String(record.id)}` : `${this.path}?limit=20`);
  }

  private get standing(): number {
    return [...this.records.values()].filter(({ possible }) => possible.some((value) => value !== null)).length;
  }

  /** A stable record without a change in progress. */
  private pick(at: number): Known | undefined {
    const free = [...this.records.values()].filter(
      ({ id, isBusy, possible: [value] }) => id !== null && !isBusy && value !== null,
    );
    return free[(at * 7919) % Math.max(1, free.length)];
  }

  private async read(due: number, path: string): Promise<void> {
    const { status } = await this.ask('GET', path);
    this.reads.push(performance.now() - due);
    // The picked record may be deleted meanwhile.
    if (status !== 200 && status !== 404) this.refuse(status);
  }

  private async create(due: number): Promise<void> {
    this.made += 1;
    const record: Known = { name: `r${this.made}.${this.domain.name}`, id: null, possible: [null], isBusy: true };
    this.records.set(record.name, record);
    const value = `created ${this.made}`;
    const answer = await this.change(due, record, value, 'POST', this.path, {
      name: record.name,
      type: 'TXT',
      data: value,
    });
    if (answer !== null) record.id = (JSON.parse(answer) as { id: string }).id;
  }

  private async write(due: number, record: Known, value: string | null): Promise<void> {
    const path = `${this.path}/${String(record.id)}`;
    if (value === null) await this.change(due, record, null, 'DELETE', path);
    else await this.change(due, record, value, 'PUT', path, { data: value });
  }

  /** Returns the answer's body where the change was acknowledged. */
  private async change(due: number, record: Known, value: string | null, method: string, path: string, body?: object) {
    const before = record.possible;
    record.isBusy = true;
    record.possible = [...before, value];
    const { status, text: answer } = await this.ask(method, path, body);
    this.writes.push(performance.now() - due);
    record.isBusy = status === null;
    if (status === 200) {
      record.possible = [value];
      this.acknowledged += 1;
      return answer;
    }
    if (status !== null) record.possible = before;
    this.refuse(status);
    return null;
  }

  private ask(method: string, path: string, body?: object): Promise<Answer> {
    const { agent, url, headers } = this;
    return send({ agent, url, method, path, headers, body, signal: this.breakingOff.signal });
  }

  private refuse(status: number | null): void {
    const outcome = status === null ? 'no answer' : String(status);
    this.refusals[outcome] = (this.refusals[outcome] ?? 0) + 1;
  }
}

interface Question {
  readonly agent: Agent;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: object | undefined;
  readonly signal?: AbortSignal;
}

interface Answer {
  /** `null`: no response. */
  readonly status: number | null;
  readonly text: string;
}

async function send({ url, path, body, headers: known, ...options }: Question): Promise<Answer> {
  const headers = {
    ...known,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(new URL(path, url), { ...options, headers, timeout: LONGEST_ANSWER });
      sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.once('response', resolve).once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  } catch (error) {
    return { status: null, text: String(error) };
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
