import type { DataSource } from 'typeorm';

/** How the connections of one pool are used at this moment. */
export interface PoolUse {
  /** What its connections are for: `changes`, `reads`, `streams`. */
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  /** Those that wait for one. */
  readonly waiting: number;
}

/** The pools of connections to the database. SQLite has none. */
export abstract class ConnectionPools {
  abstract use(): readonly PoolUse[];
}

export class NoPools extends ConnectionPools {
  override use(): readonly PoolUse[] {
    return [];
  }
}

/** What TypeORM's driver has of pg. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export class PostgresPools extends ConnectionPools {
  constructor(private readonly sources: Readonly<Record<string, DataSource>>) {
    super();
  }

  override use(): readonly PoolUse[] {
    return Object.entries(this.sources).map(([pool, { driver }]) => {
      // TypeORM's types do not show it.
      const { master } = driver as unknown as { readonly master: Pool };
      return { pool, open: master.totalCount, idle: master.idleCount, waiting: master.waitingCount };
    });
  }
}
