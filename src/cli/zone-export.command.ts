import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Option, SubCommand } from 'nest-commander';
import { ZoneExportService } from '../zone-files/zone-export.service.js';
import { CommonCommand } from './common-command.js';
import { zoneNamed } from './named-zone.js';
import { type CommonOptions, withApplication } from './with-application.js';
import { startProgress } from './zone-progress.js';

interface ExportOptions extends CommonOptions {
  readonly output?: string;
}

@SubCommand({ name: 'export', arguments: '<name>', description: 'write the zone file of a zone' })
export class ZoneExportCommand extends CommonCommand {
  override async run([name = '']: string[], options: ExportOptions): Promise<void> {
    await withApplication(options, async (context) => {
      const zone = await zoneNamed(context, name);
      const progress = startProgress('export', zone.recordSetCount, 'sets');
      const text = context.get(ZoneExportService, { strict: false }).export(zone, () => progress.advance(1));
      await write(text, options.output).finally(progress.end);
    });
  }

  @Option({ flags: '-o, --output <file>', description: 'where to (default: standard output)' })
  parseOutput(file: string): string {
    return file;
  }
}

/** A file appears under its name once it is whole. */
async function write(text: AsyncIterable<string>, file: string | undefined): Promise<void> {
  if (file === undefined) return writeToStandardOutput(text);
  const unfinished = `${file}.part`;
  try {
    await pipeline(text, createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Whoever closes it before the end, as `head` does, has read enough. */
async function writeToStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
