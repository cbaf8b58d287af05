import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type RecordSet, writeRecordSet } from '../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../dns/name.js';
import { hasLabels, labelsOf, OWNER_LABEL } from '../../common/labels.js';
import type { Services } from '../../plugins/command.js';
import { type LabeledSetPage, LabeledSets } from '../../records/labeled-sets.repository.js';
import { RecordRepository } from '../../records/record.repository.js';
import { COMPLETE, type ExportForm } from '../../zone-files/export/export-form.js';
import { ZoneExportService } from '../../zone-files/export/zone-export.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { operatorFor } from '../operator.js';
import { yamlOfRecordSets } from './octodns/octodns-writer.js';
import type { Format } from './zone-folder.js';

/** Writes zones into a folder, so that a plan of the folder finds no change (behaviour 17.12). */
export class FolderExport {
  private constructor(
    private readonly services: Services,
    private readonly directory: string,
    private readonly format: Format,
    private readonly owner: string | null,
    private readonly present: ReadonlySet<string>,
  ) {}

  /** @param owner `null`: all records */
  static async into(
    services: Services,
    directory: string,
    format: Format,
    owner: string | null,
  ): Promise<FolderExport> {
    await mkdir(directory, { recursive: true });
    return new FolderExport(services, directory, format, owner, new Set(await readdir(directory)));
  }

  /**
   * Returns whether the owner has the zone or records in it.
   * @throws Error if the format cannot hold the zone, or the folder has it in the other format
   */
  async write(zone: ZoneEntity): Promise<boolean> {
    const owned = this.owner === null ? null : await this.ownedIn(zone, this.owner);
    if (owned?.size === 0) return false;
    const stem = fileNameOf(zone.name);
    if (this.format === 'yaml' && !/[^.]\./.test(stem))
      throw new Error('octoDNS reads no zone of a single label: choose --format zone');
    const others = ['zone', 'yaml', 'yml'].filter((suffix) => suffix !== this.format);
    for (const other of others.map((suffix) => `${stem}.${suffix}`))
      if (this.present.has(other)) throw new Error(`the folder has ${other}: remove it, or choose its format`);
    const expiring = await this.services.get(RecordRepository).expiringIn(zone.id);
    const keys = new Set(expiring.map(({ ownerKey, type, rdata }) => `${ownerKey} ${type} ${rdata}`));
    const isLeftOut = ({ owner, type }: RecordSet, rdata: Uint8Array): boolean =>
      owned?.has(`${owner.key} ${type.name}`) === false ||
      keys.has(`${owner.key} ${type.name} ${Buffer.from(rdata).toString('hex')}`);
    const file = join(this.directory, `${stem}.${this.format}`);
    await this.store(file, this.format === 'zone' ? this.zoneText(zone, isLeftOut) : this.yaml(zone, isLeftOut));
    return true;
  }

  /** Keys of the record sets of the owner. The SOA stands for a zone that the owner has created. */
  private async ownedIn(zone: ZoneEntity, owner: string): Promise<ReadonlySet<string>> {
    const filter = { key: OWNER_LABEL, value: owner };
    const owned = new Set(hasLabels(labelsOf(zone), [filter]) ? [`${zone.nameKey} SOA`] : []);
    for (let marker: string | null = ''; marker !== null;) {
      const page: LabeledSetPage = await this.services
        .get(LabeledSets)
        .page(zone.id, operatorFor(zone.tenantId), [filter], { marker, limit: 200 });
      for (const { name, type } of page.sets) owned.add(`${DomainName.parse(name).key} ${type}`);
      marker = page.next;
    }
    return owned;
  }

  private zoneText(zone: ZoneEntity, isLeftOut: LeavesOut): AsyncIterable<string> {
    return this.services
      .get(ZoneExportService)
      .exportAs({ ...COMPLETE, recordSet: (set) => withoutReferences(writeRecordSet(without(set, isLeftOut))) }, zone);
  }

  private async *yaml(zone: ZoneEntity, isLeftOut: LeavesOut): AsyncGenerator<string> {
    const sets: RecordSet[] = [];
    const form: ExportForm = {
      name: 'octodns',
      head: () => '',
      recordSet: (set) => {
        const kept = without(set, isLeftOut);
        if (kept.rdatas.length > 0 && set.type.name !== 'SOA') sets.push(kept);
        return '';
      },
    };
    let omissions = '';
    for await (const text of this.services.get(ZoneExportService).exportAs(form, zone)) omissions += text;
    if (omissions !== '') throw new Error('the zone has records that cannot be read: zonewright zone check names them');
    yield yamlOfRecordSets(DomainName.parse(zone.name), sets);
  }

  /** A reader never finds half a file. */
  private async store(file: string, text: AsyncIterable<string>): Promise<void> {
    const unfinished = `${file}.part`;
    try {
      await rm(unfinished, { force: true });
      await pipeline(text, createWriteStream(unfinished, { flags: 'wx' }));
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

type LeavesOut = (set: RecordSet, rdata: Uint8Array) => boolean;

/** RFC 2317 zones have a slash in their names, which an escape replaces. */
function fileNameOf(zone: string): string {
  const name = DomainName.parse(zone).toString().toLowerCase();
  return name === '.' ? name : name.slice(0, -1).replaceAll('/', '\\047');
}

function without(set: RecordSet, isLeftOut: LeavesOut): RecordSet {
  const kept = set.rdatas.map((rdata) => !isLeftOut(set, rdata));
  if (kept.every(Boolean)) return set;
  const stays = (_: unknown, at: number): boolean => kept[at] === true;
  const { texts } = set;
  return { ...set, rdatas: set.rdatas.filter(stays), ...(texts && { texts: texts.filter(stays) }) };
}

/** A `${NAME}` of a record is no variable. */
function withoutReferences(text: string): string {
  return text.includes('${') ? text.replace(/\$(?=\{[A-Za-z_])/g, '\\036') : text;
}
