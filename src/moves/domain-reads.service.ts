import { Injectable } from '@nestjs/common';
import { assertMayChangeZone } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { DomainName } from '../dns/name.js';
import type { TsigKey } from '../dns/message/tsig/tsig-key.js';
import { RecordsOptions } from '../records/records.options.js';
import { TransferError } from '../publishing/secondary/received-zone.js';
import { type AskedServer, AskedServers } from './asked-servers.js';
import { MovesOptions } from './moves.options.js';
import { OutboundReads } from './outbound-reads.js';
import { ServerQuestions } from './server-questions.js';
import { ZoneExploration } from './zone-exploration.js';
import { ZoneFileText } from './zone-file-text.js';
import { ZoneTransfer } from './zone-transfer.js';

/** In milliseconds. */
const TIME_LIMIT = 25_000;

export interface ReadRequest {
  readonly zone: DomainName;
  readonly method: 'transfer' | 'queries';
  /** `null`: those that a resolver finds. */
  readonly nameServers: readonly string[] | null;
  readonly key: TsigKey | null;
}

export interface DomainRead {
  readonly servers: readonly AskedServer[];
  /** `null` if no server gave anything. */
  readonly file: ZoneFileText | null;
  readonly questions: Pick<ZoneExploration, 'asked' | 'unanswered' | 'names'> | null;
}

/** Reads a domain at the name servers of another provider (behaviour 15.10). */
@Injectable()
export class DomainReadsService {
  constructor(
    private readonly servers: AskedServers,
    private readonly transfer: ZoneTransfer,
    private readonly outbound: OutboundReads,
    private readonly records: RecordsOptions,
    private readonly options: MovesOptions,
  ) {}

  /** @throws ServiceError `invalid_object`, `forbidden`, `unavailable` */
  async read(request: ReadRequest, caller: Caller, gone: AbortSignal): Promise<DomainRead> {
    const { zone, nameServers, method, key } = request;
    assertMayChangeZone(caller, 'create', { tenantId: caller.tenantId, nameKey: zone.key });
    return this.outbound.run(caller.tenantId, TIME_LIMIT, gone, async (stop) => {
      const servers = await this.servers.find(zone, nameServers, stop);
      if (method === 'queries') return this.explore(zone, servers, stop);
      const by = { key, tenantId: caller.tenantId, stop };
      const file = await this.transfer.run(zone, servers, by, () => this.beginFile());
      return { servers: withoutUnasked(servers, file !== null), file, questions: null };
    });
  }

  private async explore(zone: DomainName, servers: readonly AskedServer[], stop: AbortSignal): Promise<DomainRead> {
    const asked = await ServerQuestions.begin(servers, zone, stop);
    try {
      const exploration = new ZoneExploration(zone, asked, this.records.knownTypes, this.options.mostOctets);
      if (asked.length > 0) await exploration.run(stop);
      const records = exploration.records();
      const file = this.beginFile();
      try {
        for (const record of records) file.add(record);
      } catch (error) {
        if (!(error instanceof TransferError)) throw error;
        asked[0]?.server.fail({ reason: error.failure, message: error.message });
        return { servers, file: null, questions: exploration };
      }
      return { servers, file: records.length === 0 ? null : file, questions: exploration };
    } finally {
      for (const one of asked) one.end();
    }
  }

  private beginFile(): ZoneFileText {
    return new ZoneFileText(this.records.knownTypes, this.options.mostOctets);
  }
}

/** Servers behind the one that gave the zone were not asked. */
function withoutUnasked(servers: readonly AskedServer[], isGiven: boolean): readonly AskedServer[] {
  const giver = servers.findIndex(({ failure }) => failure === null);
  return isGiven && giver !== -1 ? servers.slice(0, giver + 1) : servers;
}
