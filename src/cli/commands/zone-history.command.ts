import { formatInstant } from '../../common/clock.js';
import { type HistoryEntry, type HistoryRequest, HistoryService } from '../../history/history.service.js';
import type { CommandContext, Services } from '../../plugins/command.js';
import type { RecordSnapshot, ZoneSnapshot } from '../../zones/journal/journal-format.js';
import { drawingForOutput, withoutControls } from '../diff-drawing.js';
import { absoluteName } from '../named-zone.js';
import { parseNumber } from '../numbers.js';
import { operatorFor } from '../operator.js';
import { parseTime } from '../times.js';

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

/** Page by page, until there are as many as were asked for. */
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

/** Of a change: its serial, when, and who. */
function titleOf({ serial, at, tenantId, tokenId, userName, requestId }: HistoryEntry): string {
  const credential = userName ?? (tokenId === null ? null : `token ${tokenId}`);
  const actor = credential === null ? tenantId : `${tenantId} (${credential})`;
  return withoutControls(`serial ${serial}  ${formatInstant(at)}  ${actor}  ${requestId}`);
}

/** Of a step: its number, what it did, and for a record what it was and is. */
function stepOf({ number, action, before, after }: HistoryEntry): string {
  const title = `  #${number} ${action}`;
  if (!action.startsWith('record.')) return `${title}${fieldsOf(before as ZoneSnapshot, after as ZoneSnapshot)}\n`;
  // The action says so.
  const drawn = drawingForOutput().record({ before: before as RecordSnapshot, after: after as RecordSnapshot });
  return `${title}\n${drawn.replace(/^(?=.)/gm, '    ')}`;
}

/** ` ttl 3600 -> 60`: what a step has changed of the zone itself. */
function fieldsOf(before: ZoneSnapshot | null, after: ZoneSnapshot | null): string {
  if (before === null || after === null) return '';
  const fields = ['email', 'ttl', 'description', 'generation'] as const;
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const texts = changed.map((field) => ` ${field} ${JSON.stringify(before[field])} -> ${JSON.stringify(after[field])}`);
  return withoutControls(texts.join(','));
}
