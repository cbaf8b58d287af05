import { basename } from 'node:path';
import { Option, SubCommand } from 'nest-commander';
import { ServiceError } from '../common/service-error.js';
import { ZonesService } from '../zones/zones.service.js';
import type { ZoneFile } from '../zone-files/zone-file.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from '../zone-files/zone-import.service.js';
import { CommonCommand } from './common-command.js';
import { absoluteName } from './named-zone.js';
import { operatorFor } from './operator.js';
import { type CommonOptions, withApplication } from './with-application.js';
import { openZoneFile, watched } from './zone-file-on-disk.js';
import { startProgress } from './zone-progress.js';

const ZONE_SUFFIX = /\.(zone|db|txt)$/;

interface ImportOptions extends CommonOptions {
  readonly domain?: string;
  readonly create?: boolean;
  readonly email?: string;
  readonly tenant?: string;
  readonly mode?: ImportRequest['mode'];
  readonly dryRun?: boolean;
}

@SubCommand({ name: 'import', arguments: '<file>', description: 'take in a zone file, all of it or nothing' })
export class ZoneImportCommand extends CommonCommand {
  override async run([path = '']: string[], options: ImportOptions): Promise<void> {
    const { domain: name = nameOfFile(path), dryRun = false } = options;
    const file = await openZoneFile(path);
    const progress = startProgress('import', file.size * readingsOf(options), 'octets');
    try {
      const counts = await importInto(name, watched(file, progress.advance), options).finally(progress.end);
      console.log(`${dryRun ? 'would be stored' : 'stored'} in ${name}: ${describe(counts)}`);
    } catch (error) {
      for (const { path: place, message } of error instanceof ServiceError ? error.errors : [])
        if (place.startsWith('line ')) console.error(`${path}: ${place}: ${message}`);
      throw error;
    } finally {
      await file.close();
    }
  }

  @Option({ flags: '--domain <name>', description: 'the domain (default: the name of the file)' })
  parseDomain(name: string): string {
    return absoluteName(name);
  }

  @Option({ flags: '--create', description: 'create the zone when there is none; needs --email' })
  parseCreate(): boolean {
    return true;
  }

  @Option({ flags: '--email <address>', description: 'who answers for a new zone' })
  parseEmail(address: string): string {
    return address;
  }

  @Option({ flags: '--tenant <id>', description: 'the owner of a new zone (default: admin)' })
  parseTenant(tenant: string): string {
    return tenant;
  }

  @Option({ flags: '--mode <mode>', description: 'merge (default), or replace: also remove what the file lacks' })
  parseMode(mode: string): ImportRequest['mode'] {
    if (mode === 'merge' || mode === 'replace') return mode;
    throw new Error(`--mode ${JSON.stringify(mode)}: write merge or replace`);
  }

  @Option({ flags: '--dry-run', description: 'judge and count everything, store nothing' })
  parseDryRun(): boolean {
    return true;
  }
}

/** An import judges its file and then stores it; a replacement looks in between for what the file lacks. */
function readingsOf({ mode }: ImportOptions): number {
  return mode === 'replace' ? 3 : 2;
}

function importInto(name: string, file: ZoneFile, options: ImportOptions): Promise<ImportCounts> {
  const { mode = 'merge', dryRun = false } = options;
  return withApplication(options, async (context) => {
    const imports = context.get(ZoneImportService, { strict: false });
    const zone = await context.get(ZonesService, { strict: false }).findByName(name, operatorFor('admin'));
    if (zone !== null) return imports.import(zone.id, operatorFor(zone.tenantId), file, { mode, dryRun });
    const { tenantId, body } = newDomain(name, options);
    return imports.importNew(body, { ...operatorFor(tenantId), allTenants: false }, file, { mode, dryRun });
  });
}

function newDomain(name: string, { create = false, email, tenant = 'admin' }: ImportOptions) {
  if (!create) throw new Error(`there is no domain ${name}: name it with --domain, or make it with --create --email`);
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
