import { startPostgresServer } from './server.js';

/** One PostgreSQL for the run, unless ZONEWRIGHT_TEST_POSTGRES_URL names one, in which tests make databases and drop them. */
export default async function startPostgres() {
  if (process.env.ZONEWRIGHT_TEST_POSTGRES_URL !== undefined) return;
  const { url, remove } = await startPostgresServer();
  process.env.ZONEWRIGHT_TEST_POSTGRES_URL = url;
  globalThis.stopPostgres = async () => {
    await remove();
    delete process.env.ZONEWRIGHT_TEST_POSTGRES_URL;
  };
}
