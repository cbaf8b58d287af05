import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { isLaterSerial } from '../../src/zones/serials/serial.js';
import { queryOf } from '../support/dns-client.js';
import { Secondary } from '../support/secondary.js';
import { applied, transfer } from '../support/transfers.js';

/** Fetches notified zones from the primary with a later serial, by IXFR where it has the zone. */
export class FetchingNameServer {
  /** Ports of name servers, by which it is given zones. */
  readonly masters: number[] = [];
  private readonly zones = new Map<string, readonly ResourceRecord[]>();
  private fetching: Promise<void> = Promise.resolve();

  private constructor(private readonly secondary: Secondary) {
    secondary.onNotify = (zone) => {
      this.fetching = this.fetching.then(() => this.fetch(zone));
    };
  }

  static async start(): Promise<FetchingNameServer> {
    return new FetchingNameServer(await Secondary.start());
  }

  /** As the configuration names it. */
  get address(): string {
    return this.secondary.address;
  }

  /** 0 where it does not have the zone. */
  serialOf(zone: string): number {
    return this.secondary.serials.get(zone) ?? 0;
  }

  namesIn(zone: string): string[] {
    return (this.zones.get(zone) ?? []).map(({ owner }) => owner.toString());
  }

  async stop(): Promise<void> {
    await this.secondary.stop();
    await this.fetching;
  }

  private async fetch(zone: string): Promise<void> {
    for (const master of this.masters) await this.fetchFrom(master, zone).catch(() => undefined);
  }

  /** A primary without a later serial changes nothing (RFC 1995 §2). */
  private async fetchFrom(master: number, zone: string): Promise<void> {
    const copy = this.zones.get(zone);
    const [type, serial] = [copy === undefined ? MetaType.AXFR : MetaType.IXFR, this.serialOf(zone)];
    const { records } = await transfer(master, queryOf({ name: zone, type, serial }));
    const theirs = serialIn(records);
    if (copy !== undefined && !isLaterSerial(theirs, serial)) return;
    this.zones.set(zone, applied(copy ?? [], records));
    this.secondary.serials.set(zone, theirs);
  }
}

function serialIn([soa]: readonly ResourceRecord[]): number {
  return soa === undefined ? 0 : SOA.values(soa.rdata).serial;
}
