import { isIPv6 } from 'node:net';
import { Rcode, rcodeName } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import type { DomainName } from '../../dns/name.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { Reply } from '../../publishing/pool/dns-client.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import type { LiveKind } from '../live-finding.js';
import { recordsOf, valuesIn } from '../questions/answers.js';
import type { CheckContext } from './check-context.js';
import type { Delegation } from './delegation-check.js';

const MOST_SERVERS = 20;
const MOST_ADDRESSES = 24;
/** Errors of a host without IPv6. */
const NO_ROUTE = /\b(?:ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT|EHOSTUNREACH)\b/;

interface AskedServer {
  readonly name: DomainName;
  readonly address: string;
}

/** Asks each name server of the zone and of its delegation (behaviour 27.5). */
export class ServerCheck {
  private lacksIpv6 = false;

  constructor(
    private readonly context: CheckContext,
    private readonly serialNow: () => Promise<number>,
  ) {}

  /** Returns the addresses that answer for the zone. */
  async run(delegation: Delegation | null): Promise<readonly string[]> {
    const { zone, findings } = this.context;
    const all = [...zone.nameServers, ...(delegation?.nameServers ?? [])];
    const names = [...new Map(all.map((name) => [name.key, name])).values()];
    const found = await this.context.all(
      names.slice(0, MOST_SERVERS).map((name) => () => this.addressesOf(name, delegation)),
    );
    const servers = new Map(found.flatMap((some) => some ?? []).map((server) => [server.address, server]));
    if (names.length > MOST_SERVERS || servers.size > MOST_ADDRESSES) this.context.isComplete = false;
    const answering = await this.context.all(
      [...servers.values()]
        .slice(0, MOST_ADDRESSES)
        .map((server) => async () => ((await this.check(server)) ? server.address : null)),
    );
    if (this.lacksIpv6) {
      const about = { name: zone.apex.toString(), type: 'NS' };
      findings.add(
        'ipv6_unreachable',
        about,
        'This service has no IPv6, so IPv6 addresses of name servers are not asked.',
      );
    }
    return answering.filter((address) => address !== null);
  }

  private async addressesOf(name: DomainName, delegation: Delegation | null): Promise<AskedServer[]> {
    const { zone, questions } = this.context;
    const own = zone.ownAddresses.get(name.key);
    const stored = [...new Set([...(own ?? []), ...(delegation?.glue.get(name.key) ?? [])])];
    const isOwn = name.isWithin(zone.apex) && stored.length > 0;
    const { addresses, problem } = isOwn ? { addresses: stored, problem: null } : await questions.addressesOf(name);
    const shown = name.toString();
    if (problem?.kind === 'unknown')
      this.add('server_unknown', `The addresses of ${shown} are unknown: ${problem.text}.`);
    else if (problem !== null) {
      const why = problem.kind === 'missing' ? 'does not exist' : 'has no A or AAAA record';
      this.add('server_without_address', `The name server ${shown} ${why}. Correct its name or its addresses.`);
    }
    const allowed = addresses.filter((address) => questions.allows(address));
    if (addresses.length > 0 && allowed.length === 0)
      this.add(
        'server_not_public',
        `${shown} has only addresses that are not public, so it is not asked. Resolvers elsewhere cannot reach it.`,
      );
    return allowed.map((address) => ({ name, address }));
  }

  /** Returns whether the server answers for the zone over TCP. */
  private async check({ name, address }: AskedServer): Promise<boolean> {
    const { zone, questions } = this.context;
    const shown = `${name.toString()} (${address})`;
    const [udp, tcp] = await Promise.all([
      questions.askServer(address, 'UDP', zone.apex, SOA.code),
      questions.askServer(address, 'TCP', zone.apex, SOA.code),
    ]);
    if (udp.message === null && tcp.message === null) {
      if (isIPv6(address) && [udp, tcp].some((reply) => NO_ROUTE.test(reasonOf(reply)))) this.lacksIpv6 = true;
      else this.add('server_silent', `${shown} does not answer over UDP and TCP. Start it, or open port 53.`);
      return false;
    }
    if (udp.message === null)
      this.add('no_udp', `${shown} does not answer over UDP${causeOf(udp)}. Open port 53 for UDP.`);
    if (tcp.message === null)
      this.add(
        'no_tcp',
        `${shown} does not answer over TCP${causeOf(tcp)}. Open port 53 for TCP: RFC 7766 requires it.`,
      );
    const message = udp.message?.header.isTruncated === false ? udp.message : (tcp.message ?? udp.message);
    if (message === null || !this.isAuthoritative(shown, message)) return false;
    await this.compareSerial(shown, message);
    return tcp.message !== null;
  }

  private isAuthoritative(server: string, message: Message): boolean {
    const { rcode, isAuthoritative } = message.header;
    const add = (kind: LiveKind, what: string): false => {
      this.add(kind, `${server} ${what}. Configure the domain there, or remove its NS record and delegation.`);
      return false;
    };
    if (rcode !== Rcode.NOERROR) return add('server_refuses', `answers ${rcodeName(rcode)} for the domain`);
    if (!isAuthoritative || this.soasIn(message).length === 0)
      return add('not_authoritative', 'is not authoritative for the domain (lame)');
    return true;
  }

  private async compareSerial(server: string, message: Message): Promise<void> {
    const [soa] = this.soasIn(message);
    const { serial: wanted } = this.context.zone;
    if (soa === undefined || soa.serial === wanted) return;
    const { serial } = soa;
    if (isLaterSerial(wanted, serial))
      this.add(
        'old_serial',
        `${server} has the serial ${serial}, older than ${wanted}. Wait for its transfer, or see why it gets none.`,
      );
    // The zone may have changed since it was read.
    else if (isLaterSerial(serial, await this.serialNow()))
      this.add(
        'newer_serial',
        `${server} has the serial ${serial}, newer than ${wanted} here. Another primary may have changed the domain.`,
      );
  }

  private soasIn(message: Message): { readonly serial: number }[] {
    return valuesIn(recordsOf(message.answers, this.context.zone.apex, Type.SOA), SOA);
  }

  private add(kind: LiveKind, message: string): void {
    this.context.findings.add(kind, { name: this.context.zone.apex.toString(), type: 'NS' }, message);
  }
}

function reasonOf(reply: Reply): string {
  return reply.message === null ? reply.reason : '';
}

/** The code alone: a socket names addresses in its errors. */
function causeOf(reply: Reply): string {
  const code = /\bE[A-Z]+\b/.exec(reasonOf(reply))?.[0];
  return code === undefined ? '' : ` (${code})`;
}
