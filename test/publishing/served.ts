import { lookInto } from '../support/stored.js';

/** The zone serial that the service would serve; `null`: unknown zone. */
export function servedOf(database: string, name: string): number | null {
  const [row] = lookInto(database, ({ rows }) =>
    rows<{ serial: number | string }>('SELECT serial FROM zones WHERE lower(name) = ?', name.toLowerCase()),
  );
  return row === undefined ? null : Number(row.serial);
}
