/** Stops what global-setup.js has started. */
export default async function stopPostgres() {
  await globalThis.stopPostgres?.();
}
