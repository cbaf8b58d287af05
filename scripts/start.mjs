#!/usr/bin/env node
/**
 * Starts the service from a checkout. Same process: a signal sent here reaches the service itself. For the same reason
 * `npm start` says `exec`: npm signals its shell, which would end and leave the service behind. Where there is no
 * POSIX shell, call this file with node.
 */
import { prepare } from './prepare.mjs';

await prepare();
await import('../dist/src/main.js');
