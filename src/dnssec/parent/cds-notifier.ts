import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import { RecordClass, Opcode, Rcode } from '../../dns/message/codes.js';
import { DomainName, NameError } from '../../dns/name.js';
import { Counter } from '../../observability/metrics.js';
import { administrator } from '../../common/caller.js';
import { DnsClient } from '../../publishing/pool/dns-client.js';
import { PublicationsService } from '../../publishing/pool/publications.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ParentObservation } from './parent-observation.js';
import { ParentServers } from './parent-servers.js';
import { ParentQueryError, ValidatingResolver } from './validating-resolver.js';

const NOTIFICATIONS = new Counter({
  name: 'zonewright_dnssec_cds_notifies_total',
  help: 'NOTIFY messages to parents that CDS has changed: answered, or unanswered and sent again later.',
  labels: ['result'],
});
/** RFC 9859 §2. */
const DSYNC = 66;
const SCHEME_NOTIFY = 1;
const FIXED_OCTETS = 5;
const ANSWER_TIMEOUT_MS = 3000;
const MAX_TARGETS = 3;

/** A DSYNC target: where a parent receives NOTIFY messages about CDS. */
interface Target {
  readonly host: DomainName;
  readonly port: number;
}

/** Sends NOTIFY messages about changed CDS to parents that publish DSYNC records (RFC 9859). */
@Injectable()
export class CdsNotifier implements OnModuleDestroy {
  private readonly client: DnsClient;

  constructor(
    private readonly resolver: ValidatingResolver,
    private readonly servers: ParentServers,
    private readonly publications: PublicationsService,
    clock: Clock,
  ) {
    this.client = new DnsClient(() => toUnixSeconds(clock.now()));
  }

  async onModuleDestroy(): Promise<void> {
    await this.client.close();
  }

  /** Parents act on the answers of all name servers, so all must have the CDS. Returns the new `notifiedFor`. */
  async notify(
    zone: ZoneEntity,
    { isHosted, zone: parent }: ParentObservation,
    cdsDigest: string | null,
    notifiedFor: string | null,
  ): Promise<string | null> {
    if (cdsDigest === null || isHosted || parent === null || cdsDigest === notifiedFor) return notifiedFor;
    const { isPublished } = await this.publications.of(zone.id, administrator('signer', 'signer'));
    if (!isPublished) return notifiedFor;
    const isDone = await this.send(DomainName.parse(zone.name), DomainName.parse(parent));
    return isDone ? cdsDigest : notifiedFor;
  }

  /** Returns whether the parent answered, or has no DSYNC target. */
  private async send(zone: DomainName, parent: DomainName): Promise<boolean> {
    try {
      const targets = await this.targetsOf(zone, parent);
      if (targets.length === 0) return true;
      for (const target of targets) {
        if (!(await this.sendTo(zone, target))) continue;
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

  /** RFC 9859 §4.1: the DSYNC records of the zone, or else those of all zones below the parent. */
  private async targetsOf(zone: DomainName, parent: DomainName): Promise<Target[]> {
    for (const name of dsyncNames(zone, parent)) {
      const records = await this.resolver.records(name, DSYNC);
      const targets = records.flatMap(({ rdata }) => targetIn(rdata));
      if (targets.length > 0) return targets.slice(0, MAX_TARGETS);
    }
    return [];
  }

  private async sendTo(zone: DomainName, { host, port }: Target): Promise<boolean> {
    const question = { name: zone, type: Type.CDS, class: RecordClass.IN };
    for (const address of await this.resolver.addressesOf(host)) {
      if (!this.servers.allows(address)) continue;
      const peer = { address, port, key: null };
      const reply = await this.client.ask(peer, { opcode: Opcode.NOTIFY, question }, ANSWER_TIMEOUT_MS);
      if (reply.message?.header.rcode === Rcode.NOERROR) return true;
    }
    return false;
  }
}

function dsyncNames(zone: DomainName, parent: DomainName): DomainName[] {
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

/** RFC 9859 §2.1: type, scheme, port and target. Empty for another type or scheme. */
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
