import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { isAddressWithin } from '../../../common/network/network.js';
import { isPublicElsewhere } from '../../../common/network/public-address.js';
import { ServiceError } from '../../../common/service-error.js';
import { WebhooksOptions } from '../webhooks.options.js';

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
    if (url.hash !== '') throw refusal('leave out the fragment behind #');
    const port = portOf(url);
    if (allowedPorts.length > 0 && !allowedPorts.includes(port))
      throw refusal(`port ${port} is not called; allowed: ${allowedPorts.join(', ')}`);
    const host = hostOf(url);
    if (isIP(host) > 0 && !this.allows(host)) throw refusal(`${host} is not called by this service`);
    return url.href.length <= LONGEST_URL ? url.href : this.read(url.href);
  }

  /** @param address an IP address, as it is about to be connected to */
  allows(address: string): boolean {
    return isAddressWithin(address, this.options.limits.allowedTargets) || isPublicElsewhere(address);
  }
}

/** Without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
}

function refusal(reason: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'url', 'format', `url: ${reason}.`);
}
