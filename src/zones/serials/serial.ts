const MODULUS = 2 ** 32;
const HALF = 2 ** 31;

/** The time as a serial, which turns over in 2106. */
export function serialAt(unixSeconds: number): number {
  return unixSeconds % MODULUS;
}

/** The serial `steps` after `serial`; no more than 2^31 - 1 of them count as later (RFC 1982 §3.1). */
export function laterSerial(serial: number, steps: number): number {
  return (serial + steps) % MODULUS;
}

/** The serial after `serial`: the time where that is ahead of it, else one more, in RFC 1982 §3 arithmetic. */
export function nextSerial(serial: number, unixSeconds: number): number {
  const now = serialAt(unixSeconds);
  const lead = (now - serial + MODULUS) % MODULUS;
  return lead > 0 && lead < HALF ? now : (serial + 1) % MODULUS;
}

/** Whether a serial is later than the other one (RFC 1982 §3.2). */
export function isLaterSerial(serial: number, other: number): boolean {
  return serialLead(serial, other) > 0;
}

/** The later of two serials. */
function laterOf(serial: number, other: number): number {
  return isLaterSerial(other, serial) ? other : serial;
}

/** The serial that name servers are to have of a zone: that of its contents, or of signatures that were made since. */
export function servedSerial(zone: { readonly serial: number; readonly publishedSerial: number | null }): number {
  return zone.publishedSerial === null ? zone.serial : laterOf(zone.serial, zone.publishedSerial);
}

/** How far a serial is ahead of the other one; 0 where it is not later. */
export function serialLead(serial: number, other: number): number {
  const lead = (serial - other + MODULUS) % MODULUS;
  return lead < HALF ? lead : 0;
}
