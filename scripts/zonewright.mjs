#!/usr/bin/env node
/** The command line from a checkout: `node scripts/zonewright.mjs …`, or `npm run -s zonewright -- …`. */
import { prepare } from './prepare.mjs';

await prepare();
await import('../dist/src/cli/main.js');
