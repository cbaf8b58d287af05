import type { Publication } from '../api/types.js';

type Server = Publication['servers'][number];

const HALF = 2 ** 31;

/** Whether a serial is another one or later (RFC 1982). */
export const isSerialFrom = (serial: number, from: number): boolean => (serial - from) >>> 0 < HALF;

/** Whether a name server answers with a serial or a later one. */
export const hasArrived = ({ serial, state }: Server, from: number): boolean =>
  serial !== null && state !== 'inconsistent' && isSerialFrom(serial, from);

export const isEverywhere = ({ servers }: Publication, serial: number): boolean =>
  servers.every((server) => hasArrived(server, serial));

/** Times of the API are UTC without saying so. */
const millisecondsOf = (at: string): number => Date.parse(`${at.replace(/Z$/, '')}Z`);

/** Seconds from a change until the last name server had it; `null`: unknown. */
export function secondsUntilLive({ servers }: Publication, changedAt: string | null): number | null {
  const times = servers.map(({ since }) => since).filter((since) => since !== null);
  if (changedAt === null || times.length < servers.length || times.length === 0) return null;
  const last = Math.max(...times.map((since) => millisecondsOf(since)));
  return Math.max(0, (last - millisecondsOf(changedAt)) / 1000);
}
