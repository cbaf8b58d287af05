import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * Whether everybody can reach an address, and it is none of this machine's. Who names a target of a webhook or a master of a
 * zone has the service connect from inside the operator's network: beyond these, the operator says what may be reached
 * (behaviour 13.11, 19.11).
 * @param address an IP address, as it is about to be connected to
 */
export function isPublicElsewhere(address: string): boolean {
  return isIP(address) > 0 && isPublic(address) && !isOwn(address);
}

/** RFC 4291 §2.4: so far all that is global unicast begins with these three bits. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** Neither of a special purpose (IANA) nor an IPv4 address in a form of IPv6: mapped, 6to4, Teredo, NAT64. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST, 3);
}

/** Whether it is one of this machine's, at whichever the service may listen. */
function isOwn(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const wanted = ipaddr.parse(address).toNormalizedString();
  return own.some((one) => ipaddr.isValid(one.address) && ipaddr.parse(one.address).toNormalizedString() === wanted);
}
