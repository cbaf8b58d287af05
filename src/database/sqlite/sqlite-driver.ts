import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** Required by better-sqlite3 13: that of Node.js 22.14. */
const NODE_API = 10;

/** better-sqlite3 13 crashes on an older Node-API, and 12 aborts Node.js 24 during garbage collection (ADR 2). */
const isNodeApi = Number(process.versions.napi) >= NODE_API;

/** @throws Error with a fix if the native module does not load */
export function loadSqlite(): typeof BetterSqlite3 {
  try {
    const require = createRequire(import.meta.url);
    const Driver = require(isNodeApi ? 'better-sqlite3-napi' : 'better-sqlite3') as typeof BetterSqlite3;
    // Only this loads the native module.
    new Driver(':memory:').close();
    return Driver;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`better-sqlite3 does not load: ${isNodeApi ? NO_MODULE : NOT_BUILT} (${reason})`, { cause: error });
  }
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** Version 13 ships with its modules. */
const NO_MODULE = `where it has no module for ${PLATFORM}, run npx node-gyp rebuild in node_modules/better-sqlite3-napi`;

/** npm 12 builds version 12 only if the installing package allows it. */
const NOT_BUILT =
  `it has not been built for Node.js ${process.versions.node}:` +
  ' write "allowScripts": { "better-sqlite3": true } into package.json, then run npm install and npm rebuild better-sqlite3';
