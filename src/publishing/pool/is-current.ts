import { isLaterSerial } from '../../zones/serials/serial.js';

/** Whether a server with that serial has what is wanted (RFC 1982). */
export function isCurrent(serial: number | null, wanted: number): boolean {
  return serial !== null && !isLaterSerial(wanted, serial);
}
