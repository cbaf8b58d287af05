import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { Type } from '../../dns/dnssec/codes.js';
import { RecordClass } from '../../dns/message/codes.js';
import { Opcode } from '../../dns/message/opcode.js';
import { Rcode } from '../../dns/message/rcode.js';
import { DomainName, NameError } from '../../dns/name.js';
import { Counter } from '../../observability/counter.js';
import { DnsClient } from '../../publishing/pool/dns-client.js';
import { ParentServers } from './parent-servers.js';
import { ParentQueryError } from './parent-query-error.js';
import { ValidatingResolver } from './validating-resolver.js';

const NOTIFICATIONS = new Counter({
  name: 'zonewright_dnssec_cds_notifies_total',
  help: 'NOTIFY messages to parents that CDS has changed: answered, or unanswered and sent again later.',
  labels: ['result'],
});
/** RFC 9859 §2. */
const DSYNC = 66;
const SCHEME_NOTIFY = 1;
const FIXED_OCTETS = 5;
/** For an answer, in milliseconds. */
const PATIENCE = 3000;
/** A parent may name any number. */
const MOST_TARGETS = 3;

/** Where a parent wants to be told of changed CDS. */
interface Target {
  readonly host: DomainName;
  readonly port: number;
}

/** Tells parents that say by DSYNC where they want to hear it that the CDS of a zone has changed (RFC 9859). */
@Injectable()
export class CdsNotifications implements OnModuleDestroy {
  private readonly client: DnsClient;

  constructor(
    private readonly resolver: ValidatingResolver,
    private readonly servers: ParentServers,
    clock: Clock,
  ) {
    this.client = new DnsClient(() => toUnixSeconds(clock.now()));
  }

  async onModuleDestroy(): Promise<void> {
    await this.client.close();
  }

  /** Returns whether the parent knows, or does not want to. */
  async send(zone: DomainName, parent: DomainName): Promise<boolean> {
    try {
      const targets = await this.targetsOf(zone, parent);
      if (targets.length === 0) return true;
      for (const target of targets) {
        if (!(await this.notify(zone, target))) continue;
        NOTIFICATIONS.of('answered').add();
        return true;
      }
      NOTIFICATIONS.of('unanswered').add();
      return false;
    } catch (error) {
      if (error instanceof ParentQueryError) return false;
      throw error;
    }
  }

  /** RFC 9859 §4.1: what is said of the zone itself, or else of all zones below the parent. */
  private async targetsOf(zone: DomainName, parent: DomainName): Promise<Target[]> {
    for (const name of placesOf(zone, parent)) {
      const records = await this.resolver.records(name, DSYNC);
      const targets = records.flatMap(({ rdata }) => targetIn(rdata));
      if (targets.length > 0) return targets.slice(0, MOST_TARGETS);
    }
    return [];
  }

  /** At the first of its addresses that answers. */
  private async notify(zone: DomainName, { host, port }: Target): Promise<boolean> {
    const question = { name: zone, type: Type.CDS, class: RecordClass.IN };
    for (const address of await this.resolver.addressesOf(host)) {
      if (!this.servers.allows(address)) continue;
      const peer = { address, port, key: null };
      const reply = await this.client.ask(peer, { opcode: Opcode.NOTIFY, question }, PATIENCE);
      if (reply.message?.header.rcode === Rcode.NOERROR) return true;
    }
    return false;
  }
}

function placesOf(zone: DomainName, parent: DomainName): DomainName[] {
  const below = parent.canonical.toString().replace(/^\.$/, '');
  const labels = zone.canonical.toString().slice(0, -below.length || undefined);
  return [`${labels}_dsync.${below}`, `_dsync.${below}`].flatMap((text) => {
    try {
      return [DomainName.parse(text)];
    } catch (error) {
      if (error instanceof NameError) return [];
      throw error;
    }
  });
}

/** RFC 9859 §2.1: type, scheme, port and target. None for what is not about CDS, or of another scheme. */
function targetIn(rdata: Uint8Array): Target[] {
  const [high = 0, low = 0, scheme, portHigh = 0, portLow = 0] = rdata;
  const port = portHigh * 256 + portLow;
  if (high * 256 + low !== Type.CDS || scheme !== SCHEME_NOTIFY || port === 0) return [];
  try {
    return [{ host: DomainName.read(rdata, FIXED_OCTETS), port }];
  } catch (error) {
    if (error instanceof NameError) return [];
    throw error;
  }
}
