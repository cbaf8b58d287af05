import { jest } from '@jest/globals';
import pg from 'pg';

/** The first words of the statements sent to PostgreSQL in one round trip. */
export type Trip = string[];

type Sent = string | pg.QueryConfig;

/** The round trips to PostgreSQL while some work goes on, by connection. */
export async function tripsDuring(work: () => Promise<unknown>): Promise<Trip[][]> {
  const trips = new Map<pg.Client, Trip[]>();
  const open = new Map<pg.Client, Trip>();
  // Each of its callers here waits for a promise.
  const send = pg.Client.prototype.query as (sent: Sent) => Promise<unknown>;
  const query = jest.spyOn(pg.Client.prototype, 'query');
  query.mockImplementation(function (this: pg.Client, sent: Sent) {
    const answer = send.call(this, sent);
    const [word = ''] = (typeof sent === 'string' ? sent : sent.text).split(' ');
    // Now and then plans are made anew.
    if (word === 'DISCARD') return answer;
    const trip = open.get(this) ?? [];
    if (trip.length === 0) trips.set(this, [...(trips.get(this) ?? []), trip]);
    trip.push(word);
    open.set(this, trip);
    const close = (): unknown => open.get(this) === trip && open.delete(this);
    answer.then(close, close);
    return answer;
  } as Parameters<typeof query.mockImplementation>[0]);
  try {
    await work();
    return [...trips.values()];
  } finally {
    query.mockRestore();
  }
}
