import { lookInto } from '../support/stored.js';

/** The serial of the zone as the service would hand it out; `null` where there is no such zone. */
export function servedOf(database: string, name: string): number | null {
  const [row] = lookInto(database, ({ rows }) =>
    rows<{ serial: number | string }>('SELECT serial FROM zones WHERE lower(name) = ?', name.toLowerCase()),
  );
  return row === undefined ? null : Number(row.serial);
}
