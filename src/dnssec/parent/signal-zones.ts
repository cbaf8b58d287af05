import { Injectable } from '@nestjs/common';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { DomainName, NameError } from '../../dns/name.js';
import { CDNSKEY } from '../../dns/rdata/cdnskey.js';
import { CDS } from '../../dns/rdata/cds.js';
import { DnssecOptions } from '../dnssec.options.js';
import { OwnChanges } from './own-changes.js';

/** What a zone asks its parent for. */
export interface AskedOfParent {
  /** RDATA of its CDS, as they are published. */
  readonly cds: readonly Uint8Array[];
  readonly cdnskey: readonly Uint8Array[];
}

const NOTHING: AskedOfParent = { cds: [], cdnskey: [] };

/** A zone of signals, and the name server whose zones are told of there. */
interface SignalZone {
  readonly name: DomainName;
  readonly nameServer: DomainName;
}

/**
 * Copies CDS and CDNSKEY of zones without a DS to `_dsboot.<zone>._signal.<name server>`, where parents find them secure
 * (RFC 9615).
 */
@Injectable()
export class SignalZones {
  private readonly zones: readonly SignalZone[];
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly own: OwnChanges,
    { signalZones }: DnssecOptions,
  ) {
    this.zones = signalZones.map((text) => {
      const name = DomainName.parse(text);
      return { name, nameServer: DomainName.read(name.wire, 1 + (name.labels[0]?.length ?? 0)) };
    });
  }

  get areAny(): boolean {
    return this.zones.length > 0;
  }

  /**
   * @param nameServers of the zone
   * @param asked `null` where parents need no signal
   */
  async bring(zone: DomainName, nameServers: readonly DomainName[], asked: AskedOfParent | null): Promise<void> {
    for (const signal of this.zones) {
      const isNamed = nameServers.some((name) => name.equals(signal.nameServer));
      // RFC 9615 §4.1.1: a name server inside of the zone proves nothing of it.
      const isTold = asked !== null && isNamed && !signal.nameServer.isWithin(zone);
      await this.bringOne(signal, zone, isTold ? asked : NOTHING);
    }
  }

  private async bringOne({ name }: SignalZone, zone: DomainName, { cds, cdnskey }: AskedOfParent): Promise<void> {
    const owner = signalName(zone, name);
    const hosting = await this.own.lowestOf([name.key]);
    if (hosting === null) this.warning.warn(`signal_zones has ${name.toString()}, which is no domain here`);
    if (hosting === null || owner === null) return;
    const sets = [
      { owner, type: CDS, rdatas: cds },
      { owner, type: CDNSKEY, rdatas: cdnskey },
    ];
    try {
      await this.own.bring(hosting, sets, `signal of ${zone.toString()}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.warning.warn(`${name.toString()} does not take the signal of ${zone.toString()}: ${error.message}`);
    }
  }
}

/** `null` where it would be too long for a name: then there is no signal (RFC 9615 §4.1.1). */
function signalName(zone: DomainName, signal: DomainName): DomainName | null {
  try {
    return DomainName.parse(`_dsboot.${zone.toString()}${signal.toString()}`);
  } catch (error) {
    if (error instanceof NameError) return null;
    throw error;
  }
}
