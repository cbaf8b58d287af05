import { Injectable } from '@nestjs/common';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { DomainName, NameError } from '../../dns/name.js';
import { CDNSKEY, CDS } from '../../dns/rdata/dnssec.js';
import { NS } from '../../dns/rdata/name-types.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { HostedZones } from './hosted-zones.js';

export interface CdsSets {
  readonly cds: readonly Uint8Array[];
  readonly cdnskey: readonly Uint8Array[];
}

const NO_SETS: CdsSets = { cds: [], cdnskey: [] };

interface SignalZone {
  readonly name: DomainName;
  /** The name server behind `_signal`. */
  readonly nameServer: DomainName;
}

/** Copies CDS and CDNSKEY of zones without a DS to `_dsboot.<zone>._signal.<name server>` (RFC 9615). */
@Injectable()
export class SignalZones {
  private readonly zones: readonly SignalZone[];
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly hosted: HostedZones,
    { signalZones }: DnssecOptions,
  ) {
    this.zones = signalZones.map((text) => {
      const name = DomainName.parse(text);
      return { name, nameServer: DomainName.read(name.wire, 1 + (name.labels[0]?.length ?? 0)) };
    });
  }

  get isConfigured(): boolean {
    return this.zones.length > 0;
  }

  /** @param sets `null`: parents need no signal, so delete it */
  async publish(zone: ZoneEntity, sets: CdsSets | null): Promise<void> {
    if (!this.isConfigured) return;
    const apexNs = await this.hosted.setAt(zone, zone.nameKey, NS);
    const nameServers = (apexNs?.rdatas ?? []).map((rdata) => NS.values(rdata).nameServer);
    await this.replace(DomainName.parse(zone.name), nameServers, sets);
  }

  async remove(zone: DomainName): Promise<void> {
    await this.replace(zone, [], null);
  }

  private async replace(zone: DomainName, nameServers: readonly DomainName[], sets: CdsSets | null): Promise<void> {
    for (const signal of this.zones) {
      const isNamed = nameServers.some((name) => name.equals(signal.nameServer));
      // RFC 9615 §4.1.1: a name server inside of the zone proves nothing about the zone.
      const isSignaled = sets !== null && isNamed && !signal.nameServer.isWithin(zone);
      await this.replaceIn(signal, zone, isSignaled ? sets : NO_SETS);
    }
  }

  private async replaceIn({ name }: SignalZone, zone: DomainName, { cds, cdnskey }: CdsSets): Promise<void> {
    const owner = signalName(zone, name);
    const hosting = await this.hosted.lowestOf([name.key]);
    if (hosting === null)
      this.warning.warn(`[service:dnssec] signal_zones: ${name.toString()} is no domain of this service; create it`);
    if (hosting === null || owner === null) return;
    const sets = [
      { owner, type: CDS, rdatas: cds },
      { owner, type: CDNSKEY, rdatas: cdnskey },
    ];
    try {
      await this.hosted.replace(hosting, sets, `signal of ${zone.toString()}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.warning.warn(`${name.toString()} rejects the signal of ${zone.toString()}: ${error.message}`);
    }
  }
}

/** `null`: the name would be too long, so the zone has no signal (RFC 9615 §4.1.1). */
function signalName(zone: DomainName, signal: DomainName): DomainName | null {
  try {
    return DomainName.parse(`_dsboot.${zone.toString()}${signal.toString()}`);
  } catch (error) {
    if (error instanceof NameError) return null;
    throw error;
  }
}
