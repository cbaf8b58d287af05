import type { AddressInfo } from 'node:net';

/** An address that is not there: without the right to it, on another machine, or a name that nobody knows. */
const NO_ADDRESS = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>, scheme = 'http'): string {
  return `${scheme}://${hostAndPort(address, port)}`;
}

/**
 * What is wrong with an address in one line; other errors as they are.
 * @param section of the configuration whose `listen` has the address
 */
export function readableListenError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  section: string,
): unknown {
  const { code } = error as { readonly code?: unknown };
  const where = hostAndPort(host, port);
  if (code === 'EADDRINUSE')
    return new Error(`${where} is taken by another program: stop it or set [${section}] listen to another address`);
  if (typeof code === 'string' && NO_ADDRESS.includes(code))
    return new Error(`cannot listen on ${where} (${code}): set [${section}] listen to another address`);
  return error;
}
