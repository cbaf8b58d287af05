import { basename } from 'node:path';
import { Option, SubCommand } from 'nest-commander';
import { readShape } from '../common/http/shape.pipe.js';
import { ServiceError } from '../common/service-error.js';
import { DomainsService } from '../domains/domains.service.js';
import { CreateDomainDto } from '../domains/dto/create-domain.dto.js';
import { type ImportCounts, ZoneImportService } from '../zones/zone-import.service.js';
import { CommonCommand } from './common-command.js';
import { absoluteName } from './named-domain.js';
import { operatorFor } from './operator.js';
import { type CommonOptions, withApplication } from './with-application.js';
import { openZoneFile } from './zone-file-on-disk.js';
import { startProgress } from './zone-progress.js';

const ZONE_SUFFIX = /\.(zone|db|txt)$/;

interface ImportOptions extends CommonOptions {
  readonly domain?: string;
  readonly create?: boolean;
  readonly email?: string;
  readonly tenant?: string;
  readonly mode?: 'merge' | 'replace';
  readonly dryRun?: boolean;
}

@SubCommand({ name: 'import', arguments: '<file>', description: 'take in a zone file, all of it or nothing' })
export class ZoneImportCommand extends CommonCommand {
  override async run([path = '']: string[], options: ImportOptions): Promise<void> {
    const { mode = 'merge', dryRun = false, domain: name = nameOfFile(path) } = options;
    const progress = { advance: (_: number) => {} };
    const file = await openZoneFile(path, (octets) => progress.advance(octets));
    const bar = startProgress('import', file.size * (mode === 'replace' ? 3 : 2), 'octets');
    progress.advance = (octets) => bar.advance(octets);
    try {
      const counts = await withApplication(options, async (context) => {
        const imports = context.get(ZoneImportService, { strict: false });
        const domain = await context.get(DomainsService, { strict: false }).findByName(name, operatorFor('admin'));
        if (domain !== null) return imports.import(domain.id, operatorFor(domain.tenantId), file, { mode, dryRun });
        const { tenantId, body } = newDomain(name, options);
        return imports.importNew(body, { ...operatorFor(tenantId), allTenants: false }, file, { mode, dryRun });
      });
      bar.end();
      console.log(`${dryRun ? 'would be stored' : 'stored'} in ${name}: ${describe(counts)}`);
    } catch (error) {
      bar.end();
      if (error instanceof ServiceError)
        for (const fault of error.errors) console.error(`${path}: ${fault.path}: ${fault.message}`);
      throw error;
    }
  }

  @Option({ flags: '--domain <name>', description: 'the domain (default: the name of the file)' })
  parseDomain(name: string): string {
    return absoluteName(name);
  }

  @Option({ flags: '--create', description: 'create the domain when there is none; needs --email' })
  parseCreate(): boolean {
    return true;
  }

  @Option({ flags: '--email <address>', description: 'who answers for a new domain' })
  parseEmail(address: string): string {
    return address;
  }

  @Option({ flags: '--tenant <id>', description: 'the owner of a new domain (default: admin)' })
  parseTenant(tenant: string): string {
    return tenant;
  }

  @Option({
    flags: '--mode <mode>',
    description: 'merge (default), or replace: also remove what the file lacks',
    choices: ['merge', 'replace'],
  })
  parseMode(mode: string): string {
    return mode;
  }

  @Option({ flags: '--dry-run', description: 'judge and count everything, store nothing' })
  parseDryRun(): boolean {
    return true;
  }
}

function newDomain(name: string, { create = false, email, tenant = 'admin' }: ImportOptions) {
  if (!create) throw new Error(`there is no domain ${name}: name it with --domain, or make it with --create --email`);
  if (email === undefined) throw new Error('a new domain needs --email, the mailbox of who answers for it');
  return { tenantId: tenant, body: readShape(CreateDomainDto, { name, email }) };
}

/** `example.org.zone` and `example.org` are both files of example.org. */
function nameOfFile(path: string): string {
  return absoluteName(basename(path).replace(ZONE_SUFFIX, ''));
}

function describe({ created, updated, unchanged, removed, skipped }: ImportCounts): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${skipped} skipped`;
}
