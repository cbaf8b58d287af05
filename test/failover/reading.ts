import { expect } from '@jest/globals';
import { Caller } from '../crash/caller.js';
import { bodyOf } from '../support/answers.js';
import type { TestDomain } from '../support/domain.js';
import type { ServiceProcess } from '../support/process.js';
import { clientsOf } from '../support/service.js';

/** Creates records and lists each immediately. Returns the missing ones. */
export async function createAndList(
  service: ServiceProcess,
  { id, name }: TestDomain,
  count: number,
  label = 'r',
): Promise<string[]> {
  const [writer, reader] = [new Caller(service.url), new Caller(service.url)];
  const missed: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const record = { name: `${label}${at}.${name}`, type: 'A', data: '192.0.2.1' };
    expect((await writer.call('POST', `/v1/domains/${id}/records`, record)).status).toBe(200);
    for (const list of [`/v1/domains/${id}/records?name=${record.name}`, `/v1/domains/${id}/history?limit=1`]) {
      const { status, body } = await reader.call('GET', list);
      expect({ list, status }).toEqual({ list, status: 200 });
      if (!JSON.stringify(body).includes(record.name)) missed.push(list);
    }
    if (at % 10 === 0) reader.close();
  }
  writer.close();
  reader.close();
  return missed;
}

/** How many standbys are read, as `/readyz` says it. */
export const standbyState = async (service: ServiceProcess): Promise<string | undefined> =>
  (await bodyOf<{ standbys?: string }>(clientsOf(service.url).plain('get', '/readyz'))).standbys;
