import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { type Client, clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { compileLibcTrouble } from './libc-trouble.js';

// Two starts.
const trouble = compileLibcTrouble();
const DAY = 86_400;

let directory: string;
let service: ServiceProcess;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-clock-'));
});
afterEach(async () => {
  killAll(service);
  await service.ended;
  audit(databaseFileIn(directory));
  await removeTestData(directory);
});

async function start(offset: number): Promise<Client> {
  service = await startServiceProcess(directory, { ...environmentOf(directory), ...trouble.clock(offset) });
  return clientsOf(service.url);
}

async function stop(): Promise<void> {
  service.signal('SIGTERM');
  await service.ended;
}

const make = (client: Client, name: string) =>
  answerOf(client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' }));

describe('domains created after the clock was turned back', () => {
  itWith(trouble.needs)('6.4, 7.1 stand behind the earlier ones, and pages follow that order', async () => {
    const names = ['first.example.org.', 'second.example.org.', 'third.example.org.', 'fourth.example.org.'];
    const ahead = await start(DAY);
    for (const name of names.slice(0, 2)) await make(ahead, name);
    await stop();
    const now = await start(0);
    for (const name of names.slice(2)) await make(now, name);
    interface Page {
      readonly domains: { readonly id: string; readonly name: string; readonly created_at: string }[];
    }
    const { domains } = await bodyOf<Page>(now.call('get', '/v1/domains'));
    expect(domains.map(({ name }) => name)).toEqual(names);
    const times = domains.map((domain) => domain.created_at);
    expect(times).toEqual([...times].sort());
    const page = await bodyOf<Page>(now.call('get', `/v1/domains?limit=2&marker=${domains[1]!.id}`));
    expect(page.domains.map(({ name }) => name)).toEqual(names.slice(2));
  });
});
