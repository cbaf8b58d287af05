import { isLaterSerial } from '../../zones/serials/serial.js';

/** Whether a server with that serial has what is wanted (RFC 1982). */
export function isInSync(serial: number | null, wanted: number): boolean {
  return serial !== null && !isLaterSerial(wanted, serial);
}

/** The same in SQL, of two expressions; a server without a serial has nothing. */
export function isInSyncSql(serial: string, wanted: string): string {
  return `(${wanted} - ${serial} + 4294967296) % 4294967296 NOT BETWEEN 1 AND 2147483647`;
}
