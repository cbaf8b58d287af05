const MODULUS = 2 ** 32;
const HALF = 2 ** 31;

/** The time as a serial, which wraps in 2106. */
export function serialAt(unixSeconds: number): number {
  return unixSeconds % MODULUS;
}

/** Adds `steps`, at most 2^31 - 1 (RFC 1982 §3.1). */
export function laterSerial(serial: number, steps: number): number {
  return (serial + steps) % MODULUS;
}

/** The next serial: the time if it is later, otherwise one more (RFC 1982 §3). */
export function nextSerial(serial: number, unixSeconds: number): number {
  const now = serialAt(unixSeconds);
  const lead = (now - serial + MODULUS) % MODULUS;
  return lead > 0 && lead < HALF ? now : (serial + 1) % MODULUS;
}

/** RFC 1982 §3.2. */
export function isLaterSerial(serial: number, other: number): boolean {
  return serialLead(serial, other) > 0;
}

function laterOf(serial: number, other: number): number {
  return isLaterSerial(other, serial) ? other : serial;
}

/** The zone's serial or the serial of later signatures. */
export function servedSerial(zone: { readonly serial: number; readonly publishedSerial: number | null }): number {
  return zone.publishedSerial === null ? zone.serial : laterOf(zone.serial, zone.publishedSerial);
}

/** How far a serial is ahead of another; 0 if it is not later. */
export function serialLead(serial: number, other: number): number {
  const lead = (serial - other + MODULUS) % MODULUS;
  return lead < HALF ? lead : 0;
}
