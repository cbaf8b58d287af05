import { expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { bodyOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import type { TokenClient } from '../support/token-service.js';
import type { Person } from './person.js';

/** Closes the page. Checks that it called only the service and had no errors except those that the walk provoked. */
export async function expectQuietLeave(person: Person): Promise<void> {
  const { complaints, foreign } = person.noticed;
  await person.leave();
  expect(foreign).toEqual([]);
  // Browsers themselves report refusals that a test has asked for.
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
}

/** The records that the service has stored, a line each, sorted. */
export async function recordsOf(member: TokenClient, zoneId: string): Promise<string[]> {
  const { records } = await bodyOf<{ records: RecordBody[] }>(member.call('get', `/v1/domains/${zoneId}/records`));
  return records.map(({ name, type, data, ttl }) => `${name} ${ttl ?? '-'} ${type} ${data}`).sort();
}

/** Chooses an action from the menu of a change. */
export async function chooseFor(change: Locator, action: string): Promise<void> {
  await change.getByRole('button', { name: /^Actions for serial/ }).click();
  await change.page().getByRole('menuitem', { name: action }).click();
}
