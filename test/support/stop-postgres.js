/** Stops what start-postgres.js has started. */
export default async function stopPostgres() {
  await globalThis.stopPostgres?.();
}
