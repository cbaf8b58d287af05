import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { Difference } from '../../history/record-differences.js';
import type { PlanFinding } from '../../records/plan-findings.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import type { NewZone } from '../../zones/zone-fields.js';
import { ImportDifferences, type ReadDifferences } from './import-differences.js';
import { RecordLines } from './import-findings.js';
import { MOST_RECORDS_OF_PLAN, ZoneCheckService } from '../zone-check.service.js';
import type { ZoneFile } from '../zone-file.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from './zone-import.service.js';

export interface TriedImport {
  readonly counts: ImportCounts;
  /** Read them once, or destroy them. */
  readonly differences: ReadDifferences;
}

interface CheckedImport {
  readonly counts: ImportCounts;
  readonly findings: readonly PlanFinding[];
  readonly differences: AsyncIterable<Difference>;
}

export type ComparisonRequest = Pick<ImportRequest, 'mode' | 'incomplete' | 'skipsApexNs' | 'keeps' | 'owner'>;

export interface TriedImportText {
  readonly write: (tried: CheckedImport) => AsyncIterable<string>;
  /** Adds the findings of the zone with the import. */
  readonly checks: boolean;
  readonly hook: ChangeHook<ImportCounts> | null;
  readonly gone: AbortSignal;
}

/** Compares zone files with zones: a dry run that lists the records an import would change (behaviour 9.5). */
@Injectable()
export class ZoneFileComparisonService {
  constructor(
    private readonly imports: ZoneImportService,
    private readonly spool: Spool,
    private readonly streams: Streams,
    private readonly check: ZoneCheckService,
  ) {}

  compare(zoneId: string, caller: Caller, file: ZoneFile, request: ComparisonRequest): Promise<TriedImport> {
    return this.trying(request, (tried) => this.imports.import(zoneId, caller, file, tried));
  }

  compareNew(body: NewZone, caller: Caller, file: ZoneFile, request: ComparisonRequest): Promise<TriedImport> {
    return this.trying(request, (tried) => this.imports.importNew(body, caller, file, tried));
  }

  /** Also finds what the check would find in the zone with the import. Read the differences once, to their end. @internal */
  compareWithFindings(
    zoneId: string,
    caller: Caller,
    file: ZoneFile,
    request: ComparisonRequest,
  ): Promise<CheckedImport> {
    const lines = new RecordLines();
    const trying = this.trying({ ...request, lines }, (tried) => this.imports.import(zoneId, caller, file, tried));
    return this.reporting(trying, (tried) => this.checked(tried, zoneId, caller, lines));
  }

  /** Writes the text once nothing can fail anymore. Counts as a running stream until it is read or destroyed. */
  compareInWords(
    zoneId: string,
    caller: Caller,
    file: ZoneFile,
    { write, checks, gone, hook, ...request }: ComparisonRequest & TriedImportText,
  ): Promise<Readable> {
    return this.streams.begin(caller.tenantId, () => {
      const lines = checks ? new RecordLines() : undefined;
      const asked = { ...request, ...(lines && { lines }) };
      const trying = this.trying(asked, (now) => this.imports.import(zoneId, caller, file, now, hook), gone);
      return this.reporting(trying, async (tried) => {
        const text = Readable.from(write(await this.checked(tried, zoneId, caller, lines)), { objectMode: false });
        return text.once('close', () => tried.differences.destroy());
      });
    });
  }

  private async reporting<T>(trying: Promise<TriedImport>, report: (tried: TriedImport) => Promise<T>): Promise<T> {
    const tried = await trying;
    try {
      return await report(tried);
    } catch (error) {
      tried.differences.destroy();
      throw error;
    }
  }

  private async checked(
    { counts, differences }: TriedImport,
    zoneId: string,
    caller: Caller,
    lines: RecordLines | undefined,
  ): Promise<CheckedImport> {
    if (lines === undefined) return { counts, findings: counts.findings, differences };
    const rest = differences[Symbol.asyncIterator]();
    const held = await firstOf(rest);
    const isChecked = held.areAll && held.differences.length > 0;
    const added = isChecked ? await this.check.addedUnderWay(zoneId, caller, held.differences) : null;
    const all = async function* (): AsyncGenerator<Difference> {
      yield* held.differences;
      yield* rest;
    };
    return { counts, findings: lines.merged(counts.findings, added ?? []), differences: all() };
  }

  private async trying(
    request: ComparisonRequest & Pick<ImportRequest, 'lines'>,
    run: (request: ImportRequest) => Promise<ImportCounts>,
    gone?: AbortSignal,
  ): Promise<TriedImport> {
    const differences = new ImportDifferences(this.spool, gone);
    try {
      const counts = await run({ ...request, dryRun: true, differences });
      return { counts, differences: differences.read() };
    } catch (error) {
      await differences.discard();
      throw error;
    }
  }
}

/** Twice the records of a zone that is checked, and their RDATA in hexadecimal. */
const MOST_HELD = 2 * MOST_RECORDS_OF_PLAN;
const MOST_OCTETS_HELD = 2 ** 24;

async function firstOf(
  differences: AsyncGenerator<Difference>,
): Promise<{ differences: Difference[]; areAll: boolean }> {
  const held: Difference[] = [];
  let octets = 0;
  while (held.length < MOST_HELD && octets < MOST_OCTETS_HELD) {
    const next = await differences.next();
    if (next.done === true) return { differences: held, areAll: true };
    const { before, after } = next.value;
    held.push(next.value);
    octets += (before?.rdata.length ?? 0) + (after?.rdata.length ?? 0);
  }
  return { differences: held, areAll: false };
}
