import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { CommandContext } from '../../plugins/command.js';
import { ZoneExportService } from '../../zone-files/export/zone-export.service.js';
import { zoneNamed } from '../named-zone.js';
import { writeToStandardOutput } from '../standard-output.js';
import { startProgress } from '../zone-progress.js';

interface ExportRequest {
  readonly arguments: readonly string[];
  readonly options: { readonly output: string | undefined };
}

export async function exportZone(context: CommandContext, given: ExportRequest): Promise<void> {
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

/** A file appears under its name once it is whole. */
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
