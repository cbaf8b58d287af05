import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';

/** The worker of databases.ts: runs statements sequentially and wakes the waiting thread. */
const BIGINT = 20;
const types = { getTypeParser: (oid, format) => (oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) };
const { signal, answers } = workerData;
const clients = new Map();

parentPort.on('message', async (question) => {
  answers.postMessage(await answerTo(question));
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});

async function answerTo({ url, sql, values }) {
  try {
    const client = clients.get(url) ?? (await connect(url));
    const { rows } = await client.query(sql, values);
    return { rows };
  } catch (error) {
    return { error: `${error.message} in ${sql.slice(0, 200)}` };
  }
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url, types });
  // A database that is dropped takes its connections with it.
  client.on('error', () => clients.delete(url));
  client.on('end', () => clients.delete(url));
  await client.connect();
  // The waiting thread may hold the lock: fails instead of a deadlock.
  await client.query("SET lock_timeout = '10s'");
  clients.set(url, client);
  return client;
}
