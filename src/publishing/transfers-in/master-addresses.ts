import { lookup } from 'node:dns/promises';
import { isIP, isIPv6, SocketAddress } from 'node:net';
import { readMaster } from '../../zones/masters.js';
import { mastersOf } from '../../zones/zone-type.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { MasterAddress } from './master-client.js';
import { TransferError } from './transfer-error.js';

/**
 * Where the masters of a zone are asked, in their order; the addresses of a name one after the other.
 * @throws TransferError where none of their names has an address
 */
export async function addressesOf(zone: Pick<ZoneEntity, 'masters'>): Promise<MasterAddress[]> {
  const masters = mastersOf(zone)
    .map(readMaster)
    .filter((master) => master !== null);
  const found = await Promise.all(
    masters.map(async ({ host, port }) => (await addressesAt(host)).map((address) => ({ address, port }))),
  );
  const addresses = found.flat();
  if (addresses.length > 0) return addresses;
  throw new TransferError(`${masters.map(({ host }) => host).join(', ')}: no address is known`, false);
}

/** As sockets show it. */
function canonical(address: string): string {
  return new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address;
}

/** None for a name that is not known. */
async function addressesAt(host: string): Promise<string[]> {
  if (isIP(host) > 0) return [canonical(host)];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
