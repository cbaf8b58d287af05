import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { itWith, missingPackages, run } from '../support/run-program.js';
import { Pool } from './pool.js';
import { FOUR_SERVERS, NAMES } from './software.js';

const itOnFour = itWith(FOUR_SERVERS);
const CHANGES = 5;

let pool: Pool;
beforeAll(async () => {
  const servers = missingPackages(FOUR_SERVERS.needs).length > 0 ? [] : NAMES;
  pool = await Pool.start({ directory: await mkdtemp(join(tmpdir(), 'zonewright-')), servers });
});
afterAll(() => pool.stop());

/** The values that each server answers for the name, in one order. */
async function valuesOf(domain: TestDomain, label: string, type: string): Promise<Record<string, string>> {
  const answers = pool.servers.map(async ({ name, port }) => {
    const question = ['-p', String(port), '@127.0.0.1', '+norecurse', '+short', domain.at(label), type];
    const { stdout } = await run('dig', question);
    return [name, stdout.trim().split('\n').sort().join(' ')] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

function onAll(value: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, value]));
}

describe('BIND, Knot, NSD and PowerDNS', () => {
  itOnFour(
    '12.2 answer for every record that a change of an unsigned zone has touched',
    async () => {
      const domain = await newDomain(pool.clients);
      await pool.syncNsd();
      await pool.served(domain);
      for (let at = 0; at < CHANGES; at++) {
        const { id } = await domain.newRecord({ name: domain.at(`h${at}`), data: `192.0.2.${at}` });
        await pool.served(domain);
        expect(await valuesOf(domain, `h${at}`, 'A')).toEqual(onAll(`192.0.2.${at}`));
        await answerOf(domain.update(id, { data: `192.0.2.${100 + at}` }));
        await pool.served(domain);
        expect(await valuesOf(domain, `h${at}`, 'A')).toEqual(onAll(`192.0.2.${100 + at}`));
      }
      for (let at = 0; at < CHANGES; at++)
        expect(await valuesOf(domain, `h${at}`, 'A')).toEqual(onAll(`192.0.2.${100 + at}`));
    },
    180_000,
  );
});
