import type BetterSqlite3 from 'better-sqlite3';
import { loadSqlite } from '../../src/database/sqlite/sqlite-driver.js';

/** SQLite for tests that look at files or break them: the driver that the service has on this Node.js. */
export const Database = loadSqlite();
export type Database = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement;
