import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { freePort, run } from '../processes.mjs';
import { copyDomains, copySerials } from './copies.mjs';
import { fillWhole } from './filling.mjs';
import { startPool } from './pool.mjs';
import { inDatabase, remove, startOn } from './service.mjs';

const SERVERS = 4;
/** The service makes as many; all others are copies of the first of them. */
const MADE_BY_SERVICE = 1000;
const PORTS = 'ports.json';
const SERIALS = 'serials';
const UNFINISHED = 'unfinished';

/** Databases by domain count, each in a directory, filled once and copied for each measurement. */
export class KeptDatabases {
  #directory;
  #kind;

  constructor(directory, kind) {
    this.#directory = directory;
    this.#kind = kind;
  }

  /** The same each time: a database knows a name server by its address and port. */
  async ports() {
    const file = path.join(this.#directory, `${this.#kind}.${PORTS}`);
    if (!existsSync(file)) {
      const ports = [];
      for (let at = 0; at < SERVERS; at += 1) ports.push(await freePort());
      writeFileSync(file, JSON.stringify({ primary: await freePort(), ports }));
    }
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  /** Goes on from the largest one that is smaller. */
  async make(size) {
    if (existsSync(this.#of(size))) return;
    await mkdir(this.#directory, { recursive: true });
    const unfinished = this.#of(UNFINISHED);
    const from = await this.#largestBelow(size);
    await remove(unfinished);
    if (from > 0) copy(this.#of(from), unfinished);
    else await mkdir(unfinished);
    const byService = Math.max(from, Math.min(size, MADE_BY_SERVICE));
    if (byService > from) await this.#fill(unfinished, from, byService);
    if (size > byService) await this.#copyFirst(unfinished, byService, size);
    await rename(unfinished, this.#of(size));
  }

  /** Copies the database of that size for a measurement that may change it. */
  async copy(size, to, pool) {
    copy(this.#of(size), to);
    await pool.load(path.join(to, SERIALS));
  }

  async #fill(directory, from, to) {
    const ports = await this.ports();
    const pool = await startPool(ports);
    try {
      if (from > 0) await pool.load(path.join(directory, SERIALS));
      const { service, end } = await startOn(this.#kind, directory, ports);
      await fillWhole(service, from, to);
      await pool.whenCalm();
      await end(service);
      await pool.save(path.join(directory, SERIALS));
    } finally {
      pool.end();
    }
  }

  async #copyFirst(directory, from, to) {
    await inDatabase(this.#kind, directory, (database) => copyDomains(database, from, to));
    copySerials(path.join(directory, SERIALS), from, to);
  }

  async #largestBelow(size) {
    const prefix = `${this.#kind}-`;
    const sizes = (await readdir(this.#directory))
      .filter((name) => name.startsWith(prefix))
      .map((name) => Number(name.slice(prefix.length)));
    return Math.max(0, ...sizes.filter((each) => each < size));
  }

  #of(size) {
    return path.join(this.#directory, `${this.#kind}-${size}`);
  }
}

/** With their owner: PostgreSQL reads its own files only. */
function copy(from, to) {
  run('cp', ['--archive', '--reflink=auto', from, to]);
}
