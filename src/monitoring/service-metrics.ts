import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ConnectionPools } from '../database/postgres/connection-pools.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { showGauge } from '../observability/metrics.js';

const QUEUE = { name: 'zonewright_changes_waiting', help: 'Changes that wait for their turn.' };
const CONNECTIONS = {
  name: 'zonewright_database_connections',
  help: 'Connections to PostgreSQL by pool and state: idle or used.',
};
const WAITING = {
  name: 'zonewright_database_connection_waiters',
  help: 'Requests that wait for a connection to PostgreSQL, by pool.',
};

@Injectable()
export class ServiceFigures implements OnModuleDestroy {
  private readonly hide: readonly (() => void)[];

  constructor(unitOfWork: UnitOfWork, pools: ConnectionPools) {
    this.hide = [
      showGauge(QUEUE, () => [{ labels: {}, value: unitOfWork.waiting }]),
      showGauge(CONNECTIONS, () =>
        pools.use().flatMap(({ pool, open, idle }) => [
          { labels: { pool, state: 'idle' }, value: idle },
          { labels: { pool, state: 'used' }, value: open - idle },
        ]),
      ),
      showGauge(WAITING, () => pools.use().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting }))),
    ];
  }

  onModuleDestroy(): void {
    for (const hide of this.hide) hide();
  }
}
