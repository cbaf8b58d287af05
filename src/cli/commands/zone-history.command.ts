import { formatInstant } from '../../common/clock.js';
import { type HistoryEntry, type HistoryRequest, HistoryService } from '../../history/history.service.js';
import type { CommandContext, Services } from '../../plugins/command.js';
import type { RecordSnapshot, ZoneSnapshot } from '../../plugins/change-listener.js';
import { drawingForOutput, withoutControls, drawnDifferences } from '../diff-drawing.js';
import { absoluteName, operatorFor, zoneNamed } from '../operator.js';
import { type CommandRequest, parseNumber, parseTime } from '../arguments.js';
import { Readable } from 'node:stream';
import { MAX_SERIAL } from '../../common/field-limits.js';
import { Spool } from '../../database/render-cache/spool.js';
import { ComparisonService, type Difference } from '../../history/record-differences.js';
import { ZoneFileComparisonService } from '../../zone-files/import/zone-file-comparison.service.js';
import { writeToStandardOutput } from '../terminal.js';
import { onZoneFile } from '../zone-file-on-disk.js';
import { RevertService } from '../../history/revert.service.js';

interface ShowRequest {
  readonly arguments: readonly string[];
  readonly options: {
    readonly name: string | undefined;
    readonly type: string | undefined;
    readonly since: string | undefined;
    readonly before: string | undefined;
    readonly limit: string | undefined;
  };
}

const DEFAULT_LIMIT = 100;

export async function showHistory(
  context: CommandContext,
  { arguments: [name = ''], options }: ShowRequest,
): Promise<void> {
  const request = readRequest(options);
  await context.withServices(async (services) => {
    let latest: HistoryEntry | null = null;
    for await (const entry of entriesOf(services, absoluteName(name), request)) {
      if (entry.changeId !== latest?.changeId) console.log(titleOf(entry));
      latest = entry;
      process.stdout.write(stepOf(entry));
    }
  });
}

function readRequest({ name, type, since, before, limit }: ShowRequest['options']): HistoryRequest {
  return {
    name: name === undefined ? null : absoluteName(name).toLowerCase(),
    type: type ?? null,
    since: since === undefined ? null : parseTime('--since', since),
    marker: before === undefined ? null : parseNumber('--before', before, 1, Number.MAX_SAFE_INTEGER),
    limit: limit === undefined ? DEFAULT_LIMIT : parseNumber('--limit', limit, 1, Number.MAX_SAFE_INTEGER),
  };
}

async function* entriesOf(services: Services, name: string, request: HistoryRequest): AsyncGenerator<HistoryEntry> {
  const histories = services.get(HistoryService);
  const caller = operatorFor('admin');
  let page = await histories.ofName(name, caller, request);
  for (let left = request.limit - page.entries.length; ; left -= page.entries.length) {
    yield* page.entries;
    if (left === 0 || page.next === null) return;
    page = await histories.ofZone(page.zoneId, caller, { ...request, marker: page.next, limit: left });
  }
}

function titleOf({ serial, at, tenantId, tokenId, userName, requestId }: HistoryEntry): string {
  const credential = userName ?? (tokenId === null ? null : `token ${tokenId}`);
  const actor = credential === null ? tenantId : `${tenantId} (${credential})`;
  return withoutControls(`serial ${serial}  ${formatInstant(at)}  ${actor}  ${requestId}`);
}

function stepOf({ number, action, before, after }: HistoryEntry): string {
  const title = `  #${number} ${action}`;
  if (!action.startsWith('record.')) return `${title}${fieldsOf(before as ZoneSnapshot, after as ZoneSnapshot)}\n`;
  // The action determines the type of the snapshots.
  const drawn = drawingForOutput().record({ before: before as RecordSnapshot, after: after as RecordSnapshot });
  return `${title}\n${drawn.replace(/^(?=.)/gm, '    ')}`;
}

/** ` ttl 3600 -> 60`: the changed zone fields of a step. */
function fieldsOf(before: ZoneSnapshot | null, after: ZoneSnapshot | null): string {
  if (before === null || after === null) return '';
  const fields = ['email', 'ttl', 'description', 'generation', 'labels', 'recordSet'] as const;
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const texts = changed.map((field) => ` ${field} ${JSON.stringify(before[field])} -> ${JSON.stringify(after[field])}`);
  return withoutControls(texts.join(','));
}

interface DiffOptions {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The exit code for differences (behaviour 9.5, 11.2). */
const DIFFERENT = 2;

export async function diffZone(
  context: CommandContext,
  { arguments: [name = '', path], options }: CommandRequest<DiffOptions>,
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

const ACTIONS = ['create', 'update', 'delete'] as const;

export async function revertZone(
  context: CommandContext,
  {
    arguments: [name = ''],
    options: { serial: text, dryRun },
  }: CommandRequest<{ readonly serial: string; readonly dryRun: boolean }>,
): Promise<void> {
  const serial = parseNumber('--serial', text, 0, MAX_SERIAL);
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const done = await services.get(RevertService).revert(
      zone.id,
      operatorFor('admin'),
      { serial },
      {
        isDryRun: dryRun,
        hook: null,
      },
    );
    const count = (wanted: string): number => done.operations.filter(({ action }) => action === wanted).length;
    const counts = ACTIONS.map((action) => `${count(action)} ${action}d`).join(', ');
    console.log(`${dryRun ? 'would be reverted' : 'reverted'}: ${zone.name}: ${counts}; serial ${done.serial}`);
  });
}
