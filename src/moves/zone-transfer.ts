import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Spool } from '../database/render-cache/spool.js';
import type { DomainName } from '../dns/name.js';
import type { TsigKey } from '../dns/message/tsig/tsig-key.js';
import { askForSoa, type PrimaryAddress, transferZone } from '../publishing/secondary/primary-client.js';
import { ReceivedOctets, TransferError } from '../publishing/secondary/received-zone.js';
import type { AskedServer } from './asked-servers.js';
import { TimeLimit } from './time-limit.js';
import type { ZoneFileText } from './zone-file-text.js';
import { MovesOptions } from './moves.options.js';

/** For the first answer of a server, in milliseconds, so that others are asked too. */
const FIRST_ANSWER = 5000;
/** A record has at least 11 octets, of which compression may save the name. */
const OCTETS_PER_RECORD = 8;

/** Transfers a zone from the first server that gives it. */
@Injectable()
export class ZoneTransfer {
  private readonly received: ReceivedOctets;

  constructor(
    private readonly spool: Spool,
    private readonly options: MovesOptions,
  ) {
    this.received = new ReceivedOctets(options.mostOctets);
  }

  /** Returns `null` if no server gives the whole zone. */
  async run(
    zone: DomainName,
    servers: readonly AskedServer[],
    { key, tenantId, stop }: { readonly key: TsigKey | null; readonly tenantId: string; readonly stop: AbortSignal },
    begin: () => ZoneFileText,
  ): Promise<ZoneFileText | null> {
    for (const server of servers) {
      if (stop.aborted) return null;
      if (server.endpoint === null) continue;
      try {
        const primary = { ...server.endpoint, key: key ?? undefined };
        return await this.transfer(zone, primary, { tenantId, stop }, begin());
      } catch (error) {
        if (!(error instanceof TransferError)) throw error;
        server.fail({ reason: error.failure, message: error.message });
      }
    }
    return null;
  }

  private async transfer(
    zone: DomainName,
    primary: PrimaryAddress,
    { tenantId, stop }: { readonly tenantId: string; readonly stop: AbortSignal },
    file: ZoneFileText,
  ): Promise<ZoneFileText> {
    const first = new TimeLimit(FIRST_ANSWER, stop);
    try {
      await askForSoa(primary, zone, first.signal);
    } finally {
      first.end();
    }
    const text = this.spool.begin();
    const weight = this.received.begin(tenantId);
    try {
      const received = await transferZone(primary, zone, { weight, text, admit: this.admit }, stop);
      file.add(received.soa);
      for await (const records of received.portions()) {
        for (const record of records) file.add(record);
        await nextTurn();
        if (stop.aborted) throw new TransferError(`${primary.label} did not answer before the end`, false, 'no_answer');
      }
      return file;
    } finally {
      weight.release();
      await text.discard();
    }
  }

  /** Also counts records outside the zone, which take no room. */
  private readonly admit = (records: number): void => {
    if (records * OCTETS_PER_RECORD > this.options.mostOctets)
      throw new TransferError(`the zone has more than ${this.options.mostOctets} octets`, true, 'too_large');
  };
}
