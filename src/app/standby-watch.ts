import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Scheduler } from '../background/scheduler.js';
import { showStandbys } from '../database/standbys/standby-metrics.js';
import { Standbys } from '../database/standbys/standbys.js';

/** In milliseconds. A standby that is silent, or has come back, is noticed as soon. */
const INTERVAL = 1000;

/** Looks at the standbys as long as the program runs. */
@Injectable()
export class StandbyWatch implements OnModuleDestroy {
  private readonly hide: () => void;

  constructor(standbys: Standbys, background: Scheduler) {
    const { all } = standbys;
    this.hide = all.length === 0 ? () => undefined : showStandbys(all);
    if (all.length === 0) return;
    const look = { name: 'database.standbys', every: INTERVAL, runOnStart: true, readOnly: true };
    background.add({ ...look, run: () => standbys.look() });
  }

  onModuleDestroy(): void {
    this.hide();
  }
}
