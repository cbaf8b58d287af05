import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/unit-of-work.js';
import { writeRecordSet } from '../dns/master-file/master-file-writer.js';
import type { DomainEntity } from '../domains/domain.entity.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { ExportLimits } from './export-limits.js';
import { ZoneContents } from './zone-contents.js';

/** Text is handed on in pieces of about this many characters. */
const CHUNK = 65_536;

@Injectable()
export class ZoneExportService {
  constructor(
    private readonly domains: DomainRepository,
    private readonly contents: ZoneContents,
    private readonly limits: ExportLimits,
    private readonly reads: Reads,
  ) {}

  /**
   * The zone as a master file, piece by piece, of one moment.
   * @throws ServiceError `domain_not_found`, and `over_quota` where the owner's quota is smaller than the domain
   */
  async exportWithinLimits(domainId: string, caller: Caller): Promise<AsyncIterable<string>> {
    const domain = await this.domains.find(domainId, caller);
    await this.limits.assertRoomForExport(domain.tenantId, domain.recordCount);
    return this.export(domain);
  }

  /** The same for an operator, whatever the size; `onSet` is told of every record set. */
  export({ id }: DomainEntity, onSet?: () => void): AsyncIterable<string> {
    return this.reads.stream((manager) => this.chunks(manager, id, onSet));
  }

  private async *chunks(manager: Transaction, domainId: string, onSet?: () => void): AsyncGenerator<string> {
    const domain = await this.contents.domain(manager, domainId);
    let chunk = `; ${domain.name} serial ${domain.serial}\n`;
    for await (const set of this.contents.recordSets(manager, domain)) {
      chunk += writeRecordSet(set);
      onSet?.();
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  }
}
