import { loadConfig, startService } from '../../src/index.js';
import { ACME } from './additions.js';

/** Zonewright with the team's additions, configured like any other. */
const service = await startService(loadConfig({ env: process.env }), ACME);
console.log(`listening on ${service.url}`);
