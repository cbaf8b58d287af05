import type { NotifiedServer } from '../publishing-readers.js';

/** What a server is called in tables, answers and the log: `192.0.2.53:53`, `[2001:db8::53]:53`. */
export function serverLabel({ address, port }: NotifiedServer): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
