import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordBody } from '../support/bodies.js';
import { type Answer, Caller, isPassing } from '../crash/caller.js';

/** The combined outcomes of all clients. */
export interface Figures {
  acknowledged: number;
  /** Answered 503, or 409 because the first attempt was still under way, with Retry-After. */
  refused: number;
  /** Stored responses: the change was applied, and its response lost. */
  replayed: number;
  reads: number;
  /** The longest that a client had to repeat a change for, in milliseconds. */
  longestChange: number;
}

/** A domain as acknowledged to its client. */
export interface ToldDomain {
  readonly id: string;
  readonly name: string;
  /** Ids by names. */
  readonly records: Map<string, string>;
}

/** Retry interval after a refusal in milliseconds: shorter than Retry-After. */
const PAUSE = 50;
/** Records in a domain before the client changes to the next domain. */
const FULL = 30;

/** Clients that change domains of their own all the time, until they are stopped. */
export class Clients {
  readonly figures: Figures = { acknowledged: 0, refused: 0, replayed: 0, reads: 0, longestChange: 0 };
  private readonly end = new AbortController();
  private readonly clients: readonly Client[];
  private readonly working: Promise<unknown>;

  /** @param name a prefix of their domain names, so that other clients use other names */
  constructor(url: string, count: number, name = '') {
    this.clients = Array.from({ length: count }, (_, at) => new Client(`${name}c${at}`, new Caller(url), this.figures));
    this.working = Promise.all(this.clients.map((client) => client.work(this.end.signal)));
    // `settled` reports the failure to its callers.
    this.working.catch(() => undefined);
  }

  get domains(): readonly ToldDomain[] {
    return this.clients.flatMap(({ domains }) => domains);
  }

  /** Resolves when each client got a response to a change that it began after `moment`. */
  async servedSince(moment: number): Promise<void> {
    const served = async (): Promise<void> => {
      while (this.clients.some(({ served: last }) => last <= moment)) await delay(5);
    };
    await Promise.race([served(), this.working]);
  }

  /** Lets the clients finish their requests. */
  async stop(): Promise<void> {
    this.end.abort();
    await this.working;
  }
}

/** Retries a request with its Idempotency-Key until the outcome is known. */
class Client {
  readonly domains: ToldDomain[] = [];
  /** When it began its last acknowledged change. */
  served = 0;
  private count = 0;

  constructor(
    private readonly name: string,
    private readonly caller: Caller,
    private readonly figures: Figures,
  ) {}

  async work(end: AbortSignal): Promise<void> {
    try {
      while (!end.aborted) {
        const began = performance.now();
        await this.change();
        this.served = began;
        this.figures.longestChange = Math.max(this.figures.longestChange, performance.now() - began);
        await this.read();
      }
    } finally {
      this.caller.close();
    }
  }

  private async change(): Promise<void> {
    const domain = this.domains.at(-1);
    if (domain === undefined || domain.records.size >= FULL) return this.makeDomain();
    if (domain.records.size % 3 === 2) return this.exchangeRecord(domain);
    return this.makeRecord(domain);
  }

  private async makeDomain(): Promise<void> {
    const name = `${this.nextLabel()}.example.org.`;
    const { id } = await this.post<{ id: string }>('/v1/domains', { name, email: 'hostmaster@example.org' });
    this.domains.push({ id, name, records: new Map() });
  }

  private async makeRecord(domain: ToldDomain): Promise<void> {
    const record = this.newRecord(domain);
    const { id } = await this.post<RecordBody>(`/v1/domains/${domain.id}/records`, record);
    domain.records.set(record.name, id);
  }

  /** Deletes one record and creates two in one change. */
  private async exchangeRecord({ id: domainId, name, records }: ToldDomain): Promise<void> {
    const [[old, id] = ['', '']] = records;
    const created = [this.newRecord({ name }), this.newRecord({ name })];
    const changes = [{ action: 'delete', id }, ...created.map((record) => ({ action: 'create', record }))];
    const made = await this.post<{ changes: { record: RecordBody }[] }>(`/v1/domains/${domainId}/changes`, { changes });
    records.delete(old);
    for (const { record } of made.changes.slice(1)) records.set(record.name, record.id);
  }

  private newRecord({ name }: Pick<ToldDomain, 'name'>): { name: string; type: string; data: string } {
    return { name: `${this.nextLabel()}.${name}`, type: 'TXT', data: 'x'.repeat(20) };
  }

  private async read(): Promise<void> {
    const domain = this.domains.at(-1);
    if (domain === undefined) return;
    const { body } = await this.answered('GET', `/v1/domains/${domain.id}/records`);
    const { records } = body as { readonly records: readonly RecordBody[] };
    const shown = new Set(records.map(({ id }) => id));
    for (const [name, id] of domain.records) if (!shown.has(id)) throw new Error(`${name} was made and is not shown`);
    this.figures.reads += 1;
  }

  private async post<Body>(path: string, body: object): Promise<Body> {
    const answer = await this.answered('POST', path, body, randomUUID());
    this.figures.acknowledged += 1;
    if (answer.isReplayed) this.figures.replayed += 1;
    return answer.body as Body;
  }

  /** @throws Error for every answer that is neither yes nor a refusal for a while */
  private async answered(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    for (;;) {
      const answer = await this.caller.call(method, path, body, key);
      if (answer.status === 200) return answer;
      if (!isPassing(answer)) throw new Error(`${method} ${path} is answered ${JSON.stringify(answer)}`);
      this.figures.refused += 1;
      await delay(PAUSE);
    }
  }

  private nextLabel(): string {
    this.count += 1;
    return `${this.name}n${this.count}`;
  }
}
