/** Stops the server of global-setup.js. */
export default async function stopPostgres() {
  await globalThis.stopPostgres?.();
}
