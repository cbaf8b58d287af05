/** Who has sent a message, and how it came. */
export interface Client {
  /** Without zone id; an IPv4 address in its own form. */
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
}

/** The client behind an address as a socket has it: one socket for both families shows IPv4 addresses as IPv6. */
export function clientAt(address: string, transport: Client['transport']): Client {
  return { address: address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/s, ''), transport };
}
