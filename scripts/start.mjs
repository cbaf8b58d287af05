#!/usr/bin/env node
/**
 * Starts the service from a checkout in this process, so that signals reach the service itself. `npm start` uses `exec`
 * too: npm signals its shell, which would exit and leave the service running. Without a POSIX shell, run this file with
 * node.
 */
import { prepare } from './prepare.mjs';

await prepare();
await import('../dist/src/main.js');
