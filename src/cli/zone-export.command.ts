import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, SubCommand } from 'nest-commander';
import { ZoneExportService } from '../zones/zone-export.service.js';
import { CommonCommand } from './common-command.js';
import { domainNamed } from './named-domain.js';
import { type CommonOptions, withApplication } from './with-application.js';
import { startProgress } from './zone-progress.js';

interface ExportOptions extends CommonOptions {
  readonly output?: string;
}

@SubCommand({ name: 'export', arguments: '<name>', description: 'write a domain as a zone file' })
export class ZoneExportCommand extends CommonCommand {
  override async run([name = '']: string[], options: ExportOptions): Promise<void> {
    await withApplication(options, async (context) => {
      const domain = await domainNamed(context, name);
      const progress = startProgress('export', domain.recordsetCount, 'sets');
      const text = context.get(ZoneExportService, { strict: false }).export(domain, () => progress.advance(1));
      await write(text, options.output);
      progress.end();
    });
  }

  @Option({ flags: '-o, --output <file>', description: 'where to (default: standard output)' })
  parseOutput(file: string): string {
    return file;
  }
}

/** A file appears under its name once it is whole. */
async function write(text: AsyncIterable<string>, file: string | undefined): Promise<void> {
  if (file === undefined) return pipeline(Readable.from(text), process.stdout, { end: false });
  const unfinished = `${file}.part`;
  await pipeline(Readable.from(text), createWriteStream(unfinished));
  await rename(unfinished, file);
}
