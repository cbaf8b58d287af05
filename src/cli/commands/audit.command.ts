import { Readable } from 'node:stream';
import { toAuditEntryDto } from '../../history/audit/admin/dto/audit.dto.js';
import { actionsNamed, type AuditEntry, SHOWN_ACTIONS, shownAction } from '../../history/audit/audit-entry.js';
import { type AuditRequest, AuditService } from '../../history/audit/audit.service.js';
import { formatInstant } from '../../common/clock.js';
import type { CommandContext } from '../../plugins/command.js';
import { absoluteName } from '../operator.js';
import { parseNumber, parseTime } from '../arguments.js';
import { writeToStandardOutput, Table } from '../terminal.js';

type Text = string | undefined;

interface AuditOptions {
  readonly tenant: Text;
  readonly token: Text;
  readonly user: Text;
  readonly address: Text;
  readonly domain: Text;
  readonly action: Text;
  readonly since: Text;
  readonly until: Text;
  readonly limit: Text;
  readonly isJson: boolean;
}

const DEFAULT_LIMIT = 100;

export async function showAudit(context: CommandContext, options: AuditOptions): Promise<void> {
  const request = requestOf(options);
  const { limit, isJson } = options;
  const most = limit === undefined ? null : parseNumber('--limit', limit, 1, Number.MAX_SAFE_INTEGER);
  await context.withServices(
    async (services) => {
      const portions = services.get(AuditService).portions(request, most ?? (isJson ? Infinity : DEFAULT_LIMIT));
      await writeToStandardOutput(Readable.from(isJson ? jsonLines(portions) : drawn(portions)));
    },
    ['audit'],
  );
}

function requestOf({ tenant, token, user, address, domain, action, since, until }: AuditOptions): AuditRequest {
  const actions = action === undefined ? null : actionsNamed(action);
  if (actions?.length === 0)
    throw new Error(`--action ${JSON.stringify(action)}: there are ${SHOWN_ACTIONS.join(', ')}`);
  return {
    filter: {
      ...{
        actions,
        tenantId: tenant ?? null,
        tokenId: token ?? null,
        userName: user ?? null,
        address: address ?? null,
      },
      ...{ zoneId: null, zoneName: domain === undefined ? null : absoluteName(domain).toLowerCase() },
    },
    since: since === undefined ? null : parseTime('--since', since),
    until: until === undefined ? null : parseTime('--until', until),
    marker: null,
  };
}

type Portions = AsyncIterable<readonly AuditEntry[]>;

async function* jsonLines(portions: Portions): AsyncGenerator<string> {
  for await (const entries of portions)
    yield entries.map((entry) => `${JSON.stringify(toAuditEntryDto(entry))}\n`).join('');
}

const TITLES = ['TIME', 'WHO', 'FROM', 'ACTION', 'WHAT', 'REQUEST'];

async function* drawn(portions: Portions): AsyncGenerator<string> {
  const table = new Table();
  let titles = [TITLES];
  for await (const entries of portions) {
    const lines = table.lines([...titles, ...entries.map(cellsOf)]);
    titles = [];
    yield lines.map((line) => `${line}\n`).join('');
  }
}

function cellsOf(entry: AuditEntry): string[] {
  const { at, tenantId, tokenId, userName, address, action, requestId } = entry;
  const credential = userName ?? (tokenId === null ? null : `token ${tokenId}`);
  const who = credential === null ? tenantId : `${tenantId} (${credential})`;
  return [formatInstant(at), who, address ?? '-', shownAction(action), whatOf(entry), requestId];
}

/** Characters. */
const MOST_DETAILS = 120;

function whatOf({ ownerId, zoneName, recordName, recordType, subjectId, subjectName, details }: AuditEntry): string {
  if (recordName !== null) return `${recordName} ${recordType ?? ''}`;
  if (subjectId === null) return zoneName ?? '-';
  const words = [zoneName, subjectId, subjectName, ownerId === subjectId ? null : ownerId, details];
  return words
    .filter((word) => word !== null)
    .map((word) => (word.length > MOST_DETAILS ? `${word.slice(0, MOST_DETAILS)}…` : word))
    .join(' ');
}
