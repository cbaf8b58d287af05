import { expect } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import type { Ended } from '../support/process.js';
import type { Client } from '../support/service.js';

/** Domains as they are in a backup, and the serials that were handed out before and after it. */
export interface History {
  readonly domains: readonly TestDomain[];
  /** The last serials in client responses. */
  readonly handedOut: readonly number[];
}

/** @param backUp is called when half of the story has happened */
export async function makeHistory(client: Client, backUp: () => Promise<void>): Promise<History> {
  const domains = [await newDomain(client), await newDomain(client)];
  for (const domain of domains) await createHost(domain, 'old');
  await backUp();
  // More changes than seconds: the serials run ahead of the time.
  for (const domain of domains) for (let at = 0; at < 30; at++) await createHost(domain, `new${String(at)}`);
  return { domains, handedOut: await Promise.all(domains.map(async (domain) => (await domain.now()).serial)) };
}

export function expectRaised({ code, stdout, stderr }: Ended, domains: number): void {
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      `^[^\\n]+\\nserials raised: ${String(domains)}\\nall counters agree with what they count\\n$`,
    ),
    stderr: '',
  });
}

/** The restored service has the backup's records with serials above all served ones, and accepts changes. */
export async function expectAhead(client: Client, { domains, handedOut }: History): Promise<void> {
  for (const [at, old] of domains.entries()) {
    const domain = domainOf(client, old);
    const { serial } = await domain.now();
    expect(serial).toBeGreaterThan(handedOut[at]! + 900_000);
    expect((await domain.records()).map(({ name }) => name)).toEqual([domain.at('old')]);
    await createHost(domain, 'newer');
    expect((await domain.now()).serial).toBe(serial + 1);
  }
}

async function createHost(domain: TestDomain, label: string): Promise<void> {
  await bodyOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));
}
