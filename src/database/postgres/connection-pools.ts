import type { DataSource } from 'typeorm';

export interface PoolUse {
  /** `changes`, `reads`, `streams`. */
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export abstract class ConnectionPools {
  abstract use(): readonly PoolUse[];
}

export class NoPools extends ConnectionPools {
  override use(): readonly PoolUse[] {
    return [];
  }
}

export class PostgresPools extends ConnectionPools {
  constructor(private readonly sources: Readonly<Record<string, DataSource>>) {
    super();
  }

  override use(): readonly PoolUse[] {
    return Object.entries(this.sources).map(([pool, { driver }]) => {
      const { master } = driver as unknown as {
        readonly master: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
      };
      return { pool, open: master.totalCount, idle: master.idleCount, waiting: master.waitingCount };
    });
  }
}
