import { expect, it } from '@jest/globals';
import type { Publication } from '../api/types.js';
import { isEverywhere, isSerialFrom, secondsUntilLive } from './arrival.js';

type Server = Publication['servers'][number];

const server = (changed: Partial<Server>): Server => ({
  ...{ address: '192.0.2.53:53', state: 'current', serial: 7, since: '2026-11-20T08:30:01.500000', behind: 0 },
  ...{ behind_since: null, unreachable_since: null, error: null },
  ...changed,
});
const of = (...servers: Server[]): Publication => ({ serial: 7, published: true, servers });

it('22.16 knows when the last name server has a change', () => {
  expect(isEverywhere(of(server({}), server({ serial: 6 })), 7)).toBe(false);
  expect(isEverywhere(of(server({}), server({ serial: null })), 7)).toBe(false);
  expect(isEverywhere(of(server({ state: 'inconsistent' })), 7)).toBe(false);
  expect(isEverywhere(of(server({}), server({ serial: 9 })), 7)).toBe(true);
  expect([isSerialFrom(1, 2 ** 32 - 5), isSerialFrom(2 ** 32 - 5, 1), isSerialFrom(7, 7)]).toEqual([true, false, true]);
});

it('22.16 measures by the clock of the service', () => {
  const later = server({ since: '2026-11-20T08:30:02.250000' });
  expect(secondsUntilLive(of(server({}), later), '2026-11-20T08:30:01.000000')).toBe(1.25);
  expect(secondsUntilLive(of(server({})), '2026-11-20T08:30:09')).toBe(0);
  expect(secondsUntilLive(of(server({ since: null })), '2026-11-20T08:30:01')).toBeNull();
  expect(secondsUntilLive(of(server({})), null)).toBeNull();
});
