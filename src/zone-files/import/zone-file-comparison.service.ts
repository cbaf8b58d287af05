import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import type { NewZone } from '../../zones/zone-fields.js';
import { ImportDifferences, type ReadDifferences } from './import-differences.js';
import type { ZoneFile } from '../zone-file.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from './zone-import.service.js';

/** What an import would do. */
export interface TriedImport {
  readonly counts: ImportCounts;
  /** They are read once, or destroyed. */
  readonly differences: ReadDifferences;
}

export type ComparisonRequest = Pick<ImportRequest, 'mode' | 'incomplete'>;

/** How what an import would do becomes the text of an answer. */
export interface TriedImportText {
  readonly write: (tried: TriedImport) => AsyncIterable<string>;
  /** A condition on the zone. */
  readonly hook: ChangeHook<ImportCounts> | null;
  /** Ends the work when the client has gone. */
  readonly gone: AbortSignal;
}

/** Compares zone files with zones: a dry run that says which records an import would change (behaviour 9.5). */
@Injectable()
export class ZoneFileComparisonService {
  constructor(
    private readonly imports: ZoneImportService,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /** @throws ServiceError as `ZoneImportService.import` */
  compare(zoneId: string, caller: Caller, file: ZoneFile, request: ComparisonRequest): Promise<TriedImport> {
    return this.trying(request, (tried) => this.imports.import(zoneId, caller, file, tried));
  }

  /**
   * The same for a zone that is not there.
   * @throws ServiceError as `ZoneImportService.importNew`
   */
  compareNew(body: NewZone, caller: Caller, file: ZoneFile, request: ComparisonRequest): Promise<TriedImport> {
    return this.trying(request, (tried) => this.imports.importNew(body, caller, file, tried));
  }

  /**
   * The same as text, of which all that can be refused has been. It counts as under way until it has been read or destroyed.
   * @throws ServiceError as `compare`
   */
  compareInWords(
    zoneId: string,
    caller: Caller,
    file: ZoneFile,
    { write, gone, hook, ...request }: ComparisonRequest & TriedImportText,
  ): Promise<Readable> {
    return this.streams.begin(caller.tenantId, async () => {
      const tried = await this.trying(request, (asked) => this.imports.import(zoneId, caller, file, asked, hook), gone);
      const text = Readable.from(write(tried), { objectMode: false });
      return text.once('close', () => tried.differences.destroy());
    });
  }

  private async trying(
    { mode, incomplete }: ComparisonRequest,
    run: (request: ImportRequest) => Promise<ImportCounts>,
    gone?: AbortSignal,
  ): Promise<TriedImport> {
    const differences = new ImportDifferences(this.spool, gone);
    try {
      const counts = await run({ mode, incomplete, dryRun: true, differences });
      return { counts, differences: differences.read() };
    } catch (error) {
      await differences.discard();
      throw error;
    }
  }
}
