import { OWNER_LABEL } from '../../common/labels.js';
import { ServiceError } from '../../common/service-error.js';
import type { Caller } from '../../common/caller.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import type { Difference } from '../../history/record-differences.js';
import type { Services } from '../../plugins/command.js';
import type { PlanFinding } from '../../records/plan-findings.js';
import {
  type ComparisonRequest,
  ZoneFileComparisonService,
} from '../../zone-files/import/zone-file-comparison.service.js';
import type { NewlyLabeled, OwnedCounts } from '../../zone-files/import/owned-sets.js';
import { readZoneHeader } from '../../zone-files/import/zone-file-header.js';
import { ZoneImportService } from '../../zone-files/import/zone-import.service.js';
import { type ZoneFile, zoneFileOf } from '../../zone-files/zone-file.js';
import type { NewZone } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { operatorFor } from '../operator.js';
import { Deletions, type PlanOptions } from './plan-options.js';
import { MAX_ZONE_OCTETS } from './sources/includes.js';
import { SourceError } from './sources/source-text.js';
import type { FolderEntry, FolderZone, ZoneFolder } from './zone-folder.js';

type Remark = OwnedCounts['notes'][number];
export type Action = Difference['action'];

/** What an apply would do with one zone of the folder. */
export interface ZonePlan {
  readonly entry: FolderEntry;
  readonly state: 'create' | 'change' | 'unchanged' | 'refused';
  /** `null`: a new zone, or one whose file cannot be read. */
  readonly zone: Readonly<ZoneEntity> | null;
  /** `null` if the file cannot be read. */
  readonly source: FolderZone | null;
  readonly counts: Readonly<Record<Action, number>>;
  /** The first 100,000. */
  readonly differences: readonly Difference[];
  /** Record sets that get the label of the owner, and the first 1,000 of them. */
  readonly labels: number;
  readonly labeled: readonly NewlyLabeled[];
  /** Findings and repairs, with their places. */
  readonly notes: readonly string[];
  readonly errors: readonly string[];
}

/** Differences held for a report. */
const MAX_DIFFERENCES = 100_000;
const NO_COUNTS = { create: 0, update: 0, delete: 0 };

/**
 * Records that the folder does not own stay although it lacks them: a record that expires belongs to the client that
 * set the time, such as an ACME client (behaviour 17.7).
 */
const REPLACEMENT = {
  mode: 'replace',
  incomplete: false,
  keeps: ({ expiresAt }: { readonly expiresAt: number | null }) => expiresAt !== null,
} as const;
const NO_LABELS = { labels: 0, labeled: [] };

/** Compares zones of a folder with the stored ones, and makes them equal (behaviour 17.8, 17.9). */
export class ZonePlanner {
  constructor(
    private readonly services: Services,
    private readonly folder: ZoneFolder,
    private readonly options: PlanOptions,
  ) {}

  private get request(): ComparisonRequest {
    return { ...REPLACEMENT, owner: this.options.owner ?? undefined };
  }

  /** Never throws for a mistake in one zone: others go on. */
  async plan(entry: FolderEntry): Promise<ZonePlan> {
    const nothing = { entry, zone: null, source: null, counts: NO_COUNTS, differences: [], ...NO_LABELS, notes: [] };
    if (entry.fault !== null) return { ...nothing, state: 'refused', errors: [this.at(entry.file, entry.fault)] };
    const read: { source?: FolderZone } = {};
    try {
      read.source = await this.folder.read(entry);
      const zone = await this.services.get(ZonesService).findByName(entry.name, operatorFor('admin'));
      this.assertOwner(entry.name, zone);
      return { ...nothing, ...(await this.compare(entry, read.source, zone)), source: read.source };
    } catch (error) {
      return { ...nothing, state: 'refused', errors: this.messagesOf(error, entry, read.source) };
    }
  }

  /**
   * Makes the zone as its file says, in one change. Returns its serial.
   * @throws Error with one line for each mistake, such as a zone that has changed since the plan
   */
  async apply({ entry, source, zone }: ZonePlan): Promise<number> {
    if (source === null) throw new Error('a zone without a text cannot be applied');
    const request = { ...this.request, dryRun: false };
    const imports = this.services.get(ZoneImportService);
    try {
      if (zone === null) {
        const body = await this.newZone(entry.name, source);
        await imports.importNew(body, this.ownerOfNew(), fileOf(source.text), request);
      } else {
        const admit = (found: Readonly<ZoneEntity>) => assertSame(zone, found);
        await imports.import(zone.id, this.caller(zone.tenantId), fileOf(source.text), request, {
          isOurs: true,
          admit,
        });
      }
    } catch (error) {
      throw new Error(this.messagesOf(error, entry, source).join('\n'), { cause: error });
    }
    const stored = await this.services.get(ZonesService).findByName(entry.name, operatorFor('admin'));
    return stored?.serial ?? 0;
  }

  private async compare(
    entry: FolderEntry,
    source: FolderZone,
    zone: ZoneEntity | null,
  ): Promise<Omit<ZonePlan, 'source' | 'entry'>> {
    const { counts: imported, findings, differences } = await this.tried(entry.name, source, zone);
    const deletions = new Deletions();
    const counts = { ...NO_COUNTS };
    const held: Difference[] = [];
    for await (const difference of differences) {
      counts[difference.action] += 1;
      deletions.add(difference);
      if (held.length < MAX_DIFFERENCES) held.push(difference);
    }
    const { owned } = imported;
    const { labels, labeled } = owned ?? NO_LABELS;
    const remarks = [...imported.repairs, ...(owned?.notes ?? [])];
    const notes = [...this.remarksOf(remarks, source), ...this.findingsOf(findings, entry, source)];
    const rest = { zone, counts, differences: held, labels, labeled, notes };
    const records = owned?.records ?? zone?.recordCount ?? 0;
    const refusal = zone === null ? null : deletions.refusal(records, this.options.maxDeletes);
    if (refusal !== null) return { ...rest, state: 'refused', errors: [this.at(entry.file, refusal)] };
    const state = zone === null ? 'create' : held.length + labels > 0 ? 'change' : 'unchanged';
    return { ...rest, state, errors: [] };
  }

  private async tried(name: string, source: FolderZone, zone: ZoneEntity | null) {
    const comparisons = this.services.get(ZoneFileComparisonService);
    const file = fileOf(source.text);
    if (zone !== null) return comparisons.compareWithFindings(zone.id, this.caller(zone.tenantId), file, this.request);
    const tried = await comparisons.compareNew(await this.newZone(name, source), this.ownerOfNew(), file, this.request);
    return { ...tried, findings: tried.counts.findings };
  }

  /** A zone that an owner creates is labeled as its record sets are. */
  private async newZone(name: string, source: FolderZone): Promise<NewZone> {
    const zone = await this.zoneInFile(name, source);
    const { owner } = this.options;
    return owner === null ? zone : { ...zone, labels: { [OWNER_LABEL]: owner.name } };
  }

  /** The SOA of the file has the mailbox, the TTL and the TTL of the SOA. */
  private async zoneInFile(name: string, { text }: FolderZone): Promise<NewZone> {
    if (!this.options.creates) throw new Error(`there is no domain ${name}: create it with --create`);
    const { email } = this.options;
    const withOrigin = fileOf(`$ORIGIN ${name}\n${text}`);
    const header = await readZoneHeader(withOrigin, this.services.get(RecordTypes)).catch((error: unknown) => {
      if (error instanceof ServiceError) return null;
      throw error;
    });
    if (header !== null && header.name.toLowerCase() === name.toLowerCase())
      return email === null ? header : { ...header, email };
    if (email !== null) return { name, email };
    throw new Error(
      `the new domain ${name} needs an SOA record in its file, or --email with the mailbox of its administrator`,
    );
  }

  private assertOwner(name: string, zone: ZoneEntity | null): void {
    const { tenant } = this.options;
    if (zone !== null && tenant !== null && zone.tenantId !== tenant)
      throw new Error(`${name} belongs to the tenant ${zone.tenantId}, not to ${tenant}`);
  }

  private ownerOfNew(): Caller {
    return { ...this.caller(this.options.tenant ?? 'admin'), allTenants: false };
  }

  private caller(tenant: string): Caller {
    const { message } = this.options;
    return message === null ? operatorFor(tenant) : { ...operatorFor(tenant), message };
  }

  private at(file: string, message: string): string {
    return `${this.folder.pathOf(file)}: ${message}`;
  }

  private messagesOf(error: unknown, { file }: FolderEntry, source: FolderZone | undefined): string[] {
    if (error instanceof AggregateError)
      return error.errors.flatMap((one) => this.messagesOf(one, { file, name: '', fault: '' }, source));
    if (error instanceof SourceError) return [this.folder.pathOf(error.message)];
    if (!(error instanceof Error)) throw error;
    const lines = error instanceof ServiceError && source !== undefined ? error.errors : [];
    const placed = lines.flatMap(({ path, message }) => {
      const [, line, column] = /^line ([0-9]+), column ([0-9]+)$/.exec(path) ?? [];
      return line === undefined || source === undefined
        ? []
        : [`${this.place(source, Number(line), Number(column))}: ${this.inWordsOf(source, message)}`];
    });
    return placed.length > 0 ? placed : [this.at(file, error.message)];
  }

  private remarksOf(remarks: readonly Remark[], source: FolderZone): string[] {
    return remarks.map(({ line, message }) => `${this.place(source, line)}: note: ${message}`);
  }

  private findingsOf(findings: readonly PlanFinding[], { file }: FolderEntry, source: FolderZone): string[] {
    return findings.map(({ line, severity, name, type, message }) => {
      const place = line === undefined ? this.folder.pathOf(file) : this.place(source, line);
      return `${place}: ${severity}: ${name} ${type}: ${message}`;
    });
  }

  private place(source: FolderZone, at: number, atColumn?: number): string {
    const { file, line, column } = source.placeOf(at, atColumn);
    return `${this.folder.pathOf(file)}:${line}${column === undefined ? '' : `:${column}`}`;
  }

  /** An import names lines of the whole text. */
  private inWordsOf(source: FolderZone, message: string): string {
    return message.replace(
      /\b(in|of) line ([0-9]+)\b/g,
      (_, word: string, line: string) => `${word} ${this.place(source, Number(line))}`,
    );
  }
}

function fileOf(text: string): ZoneFile {
  return zoneFileOf(Buffer.from(text, 'latin1'), MAX_ZONE_OCTETS);
}

function assertSame(planned: Readonly<ZoneEntity>, found: Readonly<ZoneEntity>): void {
  if (found.id === planned.id && found.version === planned.version) return;
  throw new Error(`${planned.name} has changed since it was planned: plan again`);
}
