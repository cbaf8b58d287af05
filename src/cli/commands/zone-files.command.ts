import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { CommandContext } from '../../plugins/command.js';
import type { ReadDifferences } from '../../zone-files/import/import-differences.js';
import { repairLines } from '../../zone-files/import/import-repairs.js';
import type { ZoneFile } from '../../zone-files/zone-file.js';
import { ZoneFileComparisonService } from '../../zone-files/import/zone-file-comparison.service.js';
import {
  type ImportCounts,
  type ImportRequest,
  ZoneImportService,
} from '../../zone-files/import/zone-import.service.js';
import { ZonesService } from '../../zones/zones.service.js';
import { drawnDifferences } from '../diff-drawing.js';
import { absoluteName, operatorFor, zoneNamed } from '../operator.js';
import { writeToStandardOutput, startProgress } from '../terminal.js';
import { onZoneFile } from '../zone-file-on-disk.js';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZoneExportService } from '../../zone-files/export/zone-export.service.js';
import type { CommandRequest } from '../arguments.js';

/** Windows DNS names its files `example.org.dns`. */
const ZONE_SUFFIX = /\.(zone|db|txt|dns)$/;
/** Debian and the BIND manual name zone files `db.example.org`. */
const ZONE_PREFIX = /^db\./;

type Mode = ImportRequest['mode'];

interface ImportOptions {
  readonly domain: string | undefined;
  readonly creates: boolean;
  readonly email: string | undefined;
  readonly tenant: string | undefined;
  readonly mode: string | undefined;
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly incomplete: boolean;
}

export async function importZone(
  context: CommandContext,
  { arguments: [path = ''], options }: CommandRequest<ImportOptions>,
): Promise<void> {
  const name = options.domain === undefined ? nameOfFile(path) : absoluteName(options.domain);
  const mode = parseMode(options.mode);
  const { counts, differences } = await onZoneFile(path, (file) =>
    importInto(context, name, file, { ...options, mode }),
  );
  if (differences !== null) await writeToStandardOutput(Readable.from(drawnDifferences(differences, [name, path])));
  for (const line of repairLines(counts.repairs)) console.log(`${path}: ${line}`);
  for (const { line, severity, name: owner, type, message } of counts.findings)
    console.log(`${path}: line ${line}: ${severity}: ${owner} ${type}: ${message}`);
  console.log(
    `${differences !== null || options.dryRun ? 'would be stored' : 'stored'} in ${name}: ${describe(counts)}`,
  );
}

function parseMode(text = 'merge'): Mode {
  if (text === 'merge' || text === 'replace') return text;
  throw new Error(`--mode ${JSON.stringify(text)}: write merge or replace`);
}

interface Imported {
  readonly counts: ImportCounts;
  readonly differences: ReadDifferences | null;
}

function importInto(
  context: CommandContext,
  name: string,
  file: ZoneFile,
  options: ImportOptions & { readonly mode: Mode },
): Promise<Imported> {
  return context.withServices(async (services) => {
    const zone = await services.get(ZonesService).findByName(name, operatorFor('admin'));
    const imports = services.get(ZoneImportService);
    const comparisons = services.get(ZoneFileComparisonService);
    if (zone !== null) {
      const asked = [zone.id, operatorFor(zone.tenantId), file, options] as const;
      return options.diff ? comparisons.compare(...asked) : counted(imports.import(...asked));
    }
    const { tenantId, body } = newZone(name, options);
    const asked = [body, { ...operatorFor(tenantId), allTenants: false }, file, options] as const;
    return options.diff ? comparisons.compareNew(...asked) : counted(imports.importNew(...asked));
  });
}

async function counted(importing: Promise<ImportCounts>): Promise<Imported> {
  return { counts: await importing, differences: null };
}

function newZone(name: string, { creates, email, tenant = 'admin' }: ImportOptions) {
  if (!creates) throw new Error(`there is no domain ${name}: name it with --domain, or make it with --create --email`);
  if (email === undefined) throw new Error('a new zone needs --email, the mailbox of its administrator');
  return { tenantId: tenant, body: { name, email } };
}

/** Accepts `example.org.zone`, `db.example.org` and `example.org`. */
function nameOfFile(path: string): string {
  return absoluteName(basename(path).replace(ZONE_SUFFIX, '').replace(ZONE_PREFIX, ''));
}

function describe({ created, updated, unchanged, removed, skipped }: ImportCounts): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${skipped} skipped`;
}

export async function exportZone(
  context: CommandContext,
  given: CommandRequest<{ readonly output: string | undefined }>,
): Promise<void> {
  const [name = ''] = given.arguments;
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const progress = await startProgress('export', zone.recordSetCount, 'sets');
    const { output } = given.options;
    const exports = services.get(ZoneExportService);
    const onSet = () => progress.advance(1);
    const written =
      output === undefined
        ? writeToStandardOutput(await exports.exportComplete(zone, onSet))
        : writeToFile(exports.export(zone, onSet), output);
    await written.finally(progress.end);
  });
}

/** Renames the file once it is complete. */
async function writeToFile(text: AsyncIterable<string>, file: string): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await pipeline(text, createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
