import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import type { ListenerEntity } from './listener.entity.js';

const ALL = new Statement<ListenerEntity>('SELECT name, seen_at AS "seenAt" FROM change_listeners ORDER BY name');
const ADD = new Statement<{ name: string }>(
  'INSERT INTO change_listeners (name, seen_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING RETURNING name',
);
const SEE = new Statement('UPDATE change_listeners SET seen_at = ? WHERE name = ? AND seen_at < ?');
const startAtEnds = (index: string): string =>
  'INSERT INTO listener_places (listener, zone_id, number) SELECT l.name, s.zone_id, s.number FROM change_listeners l' +
  ' CROSS JOIN (SELECT id AS zone_id, version AS number FROM zones' +
  ` UNION ALL SELECT zone_id, number FROM journal ${index} WHERE action = 'zone.delete') s WHERE l.name = ?`;
const START_AT_ENDS = new Statement(startAtEnds('INDEXED BY journal_ends'), startAtEnds(''));
const DELETE_PLACES = new PortionedDelete({
  table: 'listener_places',
  key: ['listener', 'zone_id'],
  where: 'listener = ?',
  orderBy: 'zone_id',
});
const DELETE_SHARDS = new Statement('DELETE FROM listener_shards WHERE listener = ?');
const DELETE = new Statement('DELETE FROM change_listeners WHERE name = ?');

/** A separate queue on PostgreSQL, so that zone changes do not wait. */
export const LISTENERS_SCOPE: WorkScope = { queue: 'change-listeners', sharesConnections: true };
const DELETED_AT_A_TIME = 2000;

@Injectable()
export class ListenerRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  all(): Promise<ListenerEntity[]> {
    return this.reads.run((tx) => this.allIn(tx));
  }

  /** Records a running listener. A new one starts at the present end of each zone. */
  see(name: string, now: Instant): Promise<void> {
    return this.unitOfWork.run(
      async (tx) => {
        if ((await ADD.first(tx, [name, now])) === undefined) await SEE.run(tx, [now, name, now]);
        else await START_AT_ENDS.run(tx, [name]);
      },
      { ...LISTENERS_SCOPE, isLong: true },
    );
  }

  allIn(tx: Transaction): Promise<ListenerEntity[]> {
    return ALL.rows(tx, []);
  }

  seeAgain(tx: Transaction, name: string, now: Instant): Promise<void> {
    return SEE.run(tx, [now, name, now]);
  }

  /** Deletes a listener and some of its positions. Returns whether more remain. */
  async forget(tx: Transaction, name: string): Promise<boolean> {
    if (await DELETE_PLACES.run(tx, [name], DELETED_AT_A_TIME)) return true;
    await DELETE_SHARDS.run(tx, [name]);
    await DELETE.run(tx, [name]);
    return false;
  }
}
