import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** The first version of Node-API that better-sqlite3 13 runs on: that of Node.js 22.14. */
const NODE_API = 10;

/**
 * better-sqlite3 13 crashes where Node-API is older, and 12 aborts Node.js 24 when a statement is collected: both are
 * installed (ADR 2).
 */
const isNodeApi = Number(process.versions.napi) >= NODE_API;

/**
 * The one way to better-sqlite3, for connections of TypeORM, threads and tests.
 * @throws Error that says what to do where its native module does not load
 */
export function loadSqlite(): typeof BetterSqlite3 {
  try {
    const require = createRequire(import.meta.url);
    // Both have the interface that the types describe.
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

/** 13 comes with its modules, and npm compiles none. */
const NO_MODULE = `where it has no module for ${PLATFORM}, run npx node-gyp rebuild in node_modules/better-sqlite3-napi`;

/** npm 12 builds 12 only where the package that installs it says so, and leaves out what it could not build. */
const NOT_BUILT =
  `it has not been built for Node.js ${process.versions.node}:` +
  ' write "allowScripts": { "better-sqlite3": true } into package.json, then run npm install and npm rebuild better-sqlite3';
