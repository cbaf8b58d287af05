import { runCommandLine } from '../../src/index.js';
import { ACME } from './acme.plugin.js';

/** Zonewright's command line with the team's plugin: `serve`, `migrate`, `token …`, `zone …`, and `report`. */
await runCommandLine([ACME]);
