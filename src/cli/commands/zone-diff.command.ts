import { Readable } from 'node:stream';
import { MAX_SERIAL } from '../../common/field-limits.js';
import { Spool } from '../../database/render-cache/spool.js';
import { ComparisonService } from '../../history/comparison.service.js';
import type { Difference } from '../../history/record-differences.js';
import type { CommandContext } from '../../plugins/command.js';
import { ZoneFileComparisonService } from '../../zone-files/import/zone-file-comparison.service.js';
import { drawnDifferences } from '../diff-drawing.js';
import { zoneNamed } from '../named-zone.js';
import { parseNumber } from '../numbers.js';
import { operatorFor } from '../operator.js';
import { writeToStandardOutput } from '../standard-output.js';
import { onZoneFile } from '../zone-file-on-disk.js';

interface DiffOptions {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

interface DiffRequest {
  readonly arguments: readonly string[];
  readonly options: DiffOptions;
}

/** Says by its exit code whether anything differs, as behaviour 9.5 and 11.2 have it. */
const DIFFERENT = 2;

export async function diffZone(
  context: CommandContext,
  { arguments: [name = '', path], options }: DiffRequest,
): Promise<void> {
  const { from, to } = options;
  if (path === undefined && from !== undefined) return diffSerials(context, name, { from, to });
  if (path !== undefined && from === undefined && to === undefined) return diffFile(context, name, path);
  throw new Error('name the file to compare the zone with, or a serial with --from, and not both');
}

async function diffSerials(
  context: CommandContext,
  name: string,
  written: { readonly from: string; readonly to: string | undefined },
): Promise<void> {
  const from = parseNumber('--from', written.from, 0, MAX_SERIAL);
  const to = written.to === undefined ? null : parseNumber('--to', written.to, 0, MAX_SERIAL);
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const second = to ?? zone.serial;
    const moments = { from: { serial: from }, to: { serial: second } };
    const differences = await services.get(ComparisonService).compare(zone.id, operatorFor('admin'), moments);
    const titles = [`${zone.name} serial ${from}`, `${zone.name} serial ${second}`] as const;
    await writeToStandardOutput(await services.get(Spool).keep(draw(differences, titles)));
  });
}

/** What a replacement of the zone by the file would do. */
async function diffFile(context: CommandContext, name: string, path: string): Promise<void> {
  const { title, differences } = await onZoneFile(path, (file) =>
    context.withServices(async (services) => {
      const { id, name: title, serial, tenantId } = await zoneNamed(services, name);
      const request = { mode: 'replace', incomplete: false } as const;
      const tried = await services.get(ZoneFileComparisonService).compare(id, operatorFor(tenantId), file, request);
      return { title: `${title} serial ${serial}`, differences: tried.differences };
    }),
  );
  await writeToStandardOutput(Readable.from(draw(differences, [title, path])));
}

function draw(differences: AsyncIterable<Difference>, titles: readonly [string, string]): AsyncIterable<string> {
  return drawnDifferences(differences, titles, () => (process.exitCode = DIFFERENT));
}
