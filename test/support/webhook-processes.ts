import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDomain } from './domain.js';
import { killAll, type ServiceProcess, startServiceProcess } from './process.js';
import { environmentOf, removeTestData, type Settings } from './service.js';
import { WebhookReceiver, WEBHOOKS_ON } from './webhook-receiver.js';

/** Service processes on one database, with a receiver for their webhooks. */
export class WebhookProcesses {
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    private readonly directory: string,
    readonly receiver: WebhookReceiver,
  ) {}

  static async inNewDirectory(): Promise<WebhookProcesses> {
    return new WebhookProcesses(await mkdtemp(join(tmpdir(), 'zonewright-')), await WebhookReceiver.listening());
  }

  async start(settings: Settings = {}): Promise<ServiceProcess> {
    const environment = environmentOf(this.directory, { ...WEBHOOKS_ON, ...settings });
    const started = await startServiceProcess(this.directory, environment);
    this.processes.push(started);
    return started;
  }

  async kill(one: ServiceProcess): Promise<void> {
    killAll(one);
    await one.ended;
  }

  /** The numbers of the domain's entries, in the order in which they came. */
  numbersOf({ id }: TestDomain): number[] {
    const own = this.receiver.received.filter(({ event }) => event.data.domain.id === id);
    return own.map(({ event }) => event.data.number);
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => this.kill(one)));
    await this.receiver.stop();
    await removeTestData(this.directory);
  }
}

/** 1 to `count`. */
export function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
