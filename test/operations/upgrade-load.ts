import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from '../crash/caller.js';

/** Responses of one release to a client. */
export interface Served {
  answered: number;
  readonly refused: string[];
}

/** A release that requests are sent to, as a load balancer knows it. */
export interface Backend {
  readonly name: string;
  readonly url: string;
}

/** Clients that change domains and read them, each request at the next of the backends that are in. */
export class UpgradeLoad {
  readonly served = new Map<string, Served>();
  private backends: Backend[] = [];
  private turn = 0;
  private readonly underWay = new Map<Backend, number>();
  private readonly callers = new Map<Backend, Caller>();
  private readonly end = new AbortController();
  private clients: Promise<void>[] = [];
  /** The names of all records that were acknowledged and not removed, by domain. */
  readonly kept = new Map<string, Set<string>>();

  putIn(backend: Backend): void {
    this.callers.set(backend, new Caller(backend.url));
    if (!this.served.has(backend.name)) this.served.set(backend.name, { answered: 0, refused: [] });
    this.backends.push(backend);
  }

  /** Resolves when pending requests are answered, as a load balancer drains a server. */
  async takeOut(backend: Backend): Promise<void> {
    this.backends = this.backends.filter((other) => other !== backend);
    while ((this.underWay.get(backend) ?? 0) > 0) await delay(2);
    this.callers.get(backend)?.close();
  }

  start(clients: number): void {
    this.clients = Array.from({ length: clients }, (_, number) => this.client(number));
  }

  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all(this.clients);
    for (const backend of [...this.backends]) await this.takeOut(backend);
  }

  /** Resolves when each active backend has answered `count` more requests. */
  async answered(count: number): Promise<void> {
    const goals = this.backends.map(({ name }) => [this.of(name), this.of(name).answered + count] as const);
    while (goals.some(([served, goal]) => served.answered < goal)) await delay(2);
  }

  private async client(number: number): Promise<void> {
    const zone = `upgrade${number}.example.`;
    const domain = (await this.call('POST', '/v1/domains', { name: zone, email: `h@${zone.slice(0, -1)}` })) as Made;
    const kept = new Set<string>();
    this.kept.set(domain.id, kept);
    const records = `/v1/domains/${domain.id}/records`;
    for (let at = 0; !this.end.signal.aborted && !this.hasRefused; at += 1) {
      const name = `h${at}.${zone}`;
      const made = (await this.call('POST', records, { name, type: 'A', data: '192.0.2.1' })) as Made;
      kept.add(name);
      await this.call('PUT', `${records}/${made.id}`, { data: '192.0.2.2' });
      await this.call('GET', `${records}?limit=20`);
      await this.call('GET', `/v1/domains/${domain.id}/history?limit=5`);
      if (at % 3 !== 0) continue;
      await this.call('DELETE', `${records}/${made.id}`);
      kept.delete(name);
      await this.call('GET', `/v1/domains/${domain.id}/export`);
    }
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const backend = this.next();
    this.count(backend, 1);
    const served = this.of(backend.name);
    try {
      const answer = await this.callers.get(backend)!.call(method, path, body);
      if (answer.status < 300) served.answered += 1;
      else served.refused.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    } catch (error) {
      served.refused.push(`${method} ${path}: ${String(error)}`);
      return { id: 'none' };
    } finally {
      this.count(backend, -1);
    }
  }

  private get hasRefused(): boolean {
    return [...this.served.values()].some(({ refused }) => refused.length > 0);
  }

  private next(): Backend {
    this.turn += 1;
    return this.backends[this.turn % this.backends.length]!;
  }

  private count(backend: Backend, step: number): void {
    this.underWay.set(backend, (this.underWay.get(backend) ?? 0) + step);
  }

  private of(name: string): Served {
    return this.served.get(name)!;
  }
}

interface Made {
  readonly id: string;
}
