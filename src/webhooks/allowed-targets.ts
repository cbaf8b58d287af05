import { networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { isAddressWithin } from '../common/network.js';
import { ServiceError } from '../common/service-error.js';
import { WebhooksOptions } from './webhooks.options.js';

/** In characters. */
const LONGEST_URL = 2048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/**
 * Where webhooks may lead. Whoever makes one has the service call an address of its choice from inside the operator's
 * network, so that what not everybody can reach is refused unless the operator allows it (behaviour 19.11).
 */
@Injectable()
export class AllowedTargets {
  constructor(private readonly options: WebhooksOptions) {}

  /**
   * Reads the URL of a target. Names are looked up when they are called, and judged then.
   * @returns the URL as WHATWG URL writes it
   * @throws ServiceError `invalid_object`
   */
  read(text: string): string {
    const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
    if (url === null) throw refusal(`no URL of ${LONGEST_URL} characters at most`);
    const { allowHttp, allowedPorts } = this.options.limits;
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
      throw refusal(allowHttp ? 'write https:// or http://' : 'write https://');
    if (url.username !== '' || url.password !== '') throw refusal('leave out user and password');
    if (url.hash !== '') throw refusal('leave out what stands behind #');
    const port = portOf(url);
    if (allowedPorts.length > 0 && !allowedPorts.includes(port))
      throw refusal(`port ${port} is not called; allowed: ${allowedPorts.join(', ')}`);
    const host = hostOf(url);
    if (isIP(host) > 0 && !this.allows(host)) throw refusal(`${host} is not called by this service`);
    return url.href.length <= LONGEST_URL ? url.href : this.read(url.href);
  }

  /** @param address an IP address, as it is about to be connected to */
  allows(address: string): boolean {
    if (isAddressWithin(address, this.options.limits.allowedTargets)) return true;
    return isPublic(address) && !isOwn(address);
  }
}

/** Without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
}

/** RFC 4291 §2.4: so far all that is global unicast begins with these three bits. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** Whether everybody can reach it: neither of a special purpose (IANA) nor an IPv4 address in a form of IPv6. */
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

function refusal(reason: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'url', 'format', `url: ${reason}.`);
}
