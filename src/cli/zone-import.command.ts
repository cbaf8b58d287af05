import { basename } from 'node:path';
import { ServiceError } from '../common/service-error.js';
import type { CommandContext } from '../plugins/command.js';
import type { ZoneFile } from '../zone-files/zone-file.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from '../zone-files/zone-import.service.js';
import { ZonesService } from '../zones/zones.service.js';
import { absoluteName } from './named-zone.js';
import { operatorFor } from './operator.js';
import { openZoneFile, watched } from './zone-file-on-disk.js';
import { startProgress } from './zone-progress.js';

const ZONE_SUFFIX = /\.(zone|db|txt)$/;

type Mode = ImportRequest['mode'];

interface ImportOptions {
  readonly domain: string | undefined;
  readonly creates: boolean;
  readonly email: string | undefined;
  readonly tenant: string | undefined;
  readonly mode: string | undefined;
  readonly dryRun: boolean;
  readonly incomplete: boolean;
}

interface Given {
  readonly arguments: readonly string[];
  readonly options: ImportOptions;
}

export async function importZone(context: CommandContext, { arguments: [path = ''], options }: Given): Promise<void> {
  const name = options.domain === undefined ? nameOfFile(path) : absoluteName(options.domain);
  const mode = parseMode(options.mode);
  const file = await openZoneFile(path);
  const progress = await startProgress('import', file.size * readingsOf(mode), 'octets');
  try {
    const read = watched(file, progress.advance);
    const counts = await importInto(context, name, read, { ...options, mode }).finally(progress.end);
    console.log(`${options.dryRun ? 'would be stored' : 'stored'} in ${name}: ${describe(counts)}`);
  } catch (error) {
    for (const { path: place, message } of error instanceof ServiceError ? error.errors : [])
      if (place.startsWith('line ')) console.error(`${path}: ${place}: ${message}`);
    throw error;
  } finally {
    await file.close();
  }
}

function parseMode(text = 'merge'): Mode {
  if (text === 'merge' || text === 'replace') return text;
  throw new Error(`--mode ${JSON.stringify(text)}: write merge or replace`);
}

/** An import judges its file and then stores it; a replacement looks in between for what the file lacks. */
function readingsOf(mode: Mode): number {
  return mode === 'replace' ? 3 : 2;
}

function importInto(
  context: CommandContext,
  name: string,
  file: ZoneFile,
  options: ImportOptions & { readonly mode: Mode },
): Promise<ImportCounts> {
  const { mode, dryRun, incomplete } = options;
  const request = { mode, dryRun, incomplete };
  return context.withServices(async (services) => {
    const imports = services.get(ZoneImportService);
    const zone = await services.get(ZonesService).findByName(name, operatorFor('admin'));
    if (zone !== null) return imports.import(zone.id, operatorFor(zone.tenantId), file, request);
    const { tenantId, body } = newZone(name, options);
    return imports.importNew(body, { ...operatorFor(tenantId), allTenants: false }, file, request);
  });
}

function newZone(name: string, { creates, email, tenant = 'admin' }: ImportOptions) {
  if (!creates) throw new Error(`there is no domain ${name}: name it with --domain, or make it with --create --email`);
  if (email === undefined) throw new Error('a new zone needs --email, the mailbox of who answers for it');
  return { tenantId: tenant, body: { name, email } };
}

/** `example.org.zone` and `example.org` are both files of example.org. */
function nameOfFile(path: string): string {
  return absoluteName(basename(path).replace(ZONE_SUFFIX, ''));
}

function describe({ created, updated, unchanged, removed, skipped }: ImportCounts): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${skipped} skipped`;
}
