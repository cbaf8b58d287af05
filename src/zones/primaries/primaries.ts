import { isIP, isIPv4 } from 'node:net';
import { type FieldError, ServiceError } from '../../common/service-error.js';
import { DomainName, nameOrNull } from '../../dns/name.js';
import { formatIpv6, parseIpv6 } from '../../dns/rdata/address.js';
import { isAddressWithin, isPublicElsewhere } from '../../common/network/network.js';

export interface Primary {
  /** An IP address or a host name. */
  readonly host: string;
  readonly port: number;
}

const DNS_PORT = 53;
const MOST_MASTERS = 20;
const LONGEST_HOST = 253;
const HOST = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
/** `host`, `host:port`, `[address]:port`; an IPv6 address without a port needs no brackets. */
const FORM = /^(?:\[(?<address>[^\]]*)\]|(?<host>[^:[\]]*))(?::(?<port>\d{1,5}))?$/;

/** Host names are resolved and checked before each query. Reports each invalid or forbidden primary. */
export function assertPrimaries(masters: readonly string[], allowed: AllowedPrimaries): void {
  const wrong = masters.flatMap((text, at) => faultOf(text, at, allowed) ?? []);
  if (wrong.length > 0) throw ServiceError.ofFields('invalid_object', wrong);
  if (masters.length === 0 || masters.length > MOST_MASTERS)
    throw ServiceError.ofField('invalid_object', 'masters', 'type', `masters: name 1 to ${MOST_MASTERS} name servers.`);
  assertDifferent(masters);
}

function assertDifferent(masters: readonly string[]): void {
  const endpoints = masters.map(endpointOf);
  const at = endpoints.findIndex((endpoint, index) => endpoints.indexOf(endpoint) < index);
  if (at === -1) return;
  const message = `masters: ${JSON.stringify(masters[at])} is listed twice; list each master once.`;
  throw ServiceError.ofField('duplicate_master', `masters[${at}]`, 'enum', message);
}

function endpointOf(text: string): string {
  const { host, port } = parsePrimary(text) ?? { host: text, port: DNS_PORT };
  const octets = parseIpv6(host);
  return `${octets === undefined ? host.toLowerCase().replace(/\.$/, '') : formatIpv6(octets)} ${port}`;
}

export function parsePrimary(text: string): Primary | null {
  if (isIP(text) === 6) return { host: text, port: DNS_PORT };
  const { address, host, port } = FORM.exec(text)?.groups ?? {};
  const number = port === undefined ? DNS_PORT : Number(port);
  if (number < 1 || number > 0xffff) return null;
  if (address !== undefined) return isIP(address) === 6 ? { host: address, port: number } : null;
  return host !== undefined && isHost(host) ? { host, port: number } : null;
}

function isHost(text: string): boolean {
  if (isIPv4(text)) return true;
  if (text.length > LONGEST_HOST || !HOST.test(text) || !/[a-z]/i.test(text)) return false;
  return nameOrNull(() => DomainName.parse(text.endsWith('.') ? text : `${text}.`)) !== null;
}

function faultOf(text: string, at: number, allowed: AllowedPrimaries): FieldError | null {
  const master = parsePrimary(text);
  const shown = JSON.stringify(text.slice(0, LONGEST_HOST));
  if (master === null) return fault(at, `${shown} is not a name server; write 192.0.2.53 or 192.0.2.53:5353`);
  if (isIP(master.host) === 0 || allowed.allows(master.host)) return null;
  return fault(at, `${shown} has a forbidden address; the operator can allow it with allow_masters`);
}

function fault(at: number, message: string): FieldError {
  return { path: `masters[${at}]`, validator: 'format', message: `masters: ${message}.` };
}

/** The owner of a secondary zone makes the service query an address, which may be internal, and sees the answer. */
export class AllowedPrimaries {
  /** CIDR notation; empty: all public addresses. */
  constructor(private readonly networks: readonly string[]) {}

  allows(address: string): boolean {
    return this.networks.length === 0 ? isPublicElsewhere(address) : isAddressWithin(address, this.networks);
  }
}
