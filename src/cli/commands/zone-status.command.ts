import { setTimeout as delay } from 'node:timers/promises';
import { formatInstant } from '../../common/clock.js';
import { LiveCheckService } from '../../live-checks/live-check.service.js';
import type { LiveFinding } from '../../live-checks/live-finding.js';
import type { CommandContext } from '../../plugins/command.js';
import {
  type Publication,
  PublicationsService,
  type ServerSyncStatus,
} from '../../publishing/pool/publications.service.js';
import { zoneNamed, operatorFor } from '../operator.js';
import { Table } from '../terminal.js';
import { type ZoneFinding, ZoneCheckService } from '../../zone-files/zone-check.service.js';
import type { CommandRequest } from '../arguments.js';

/** Milliseconds. */
const TIME_LIMIT = 60_000;
const PAUSE = 200;

export async function showStatus(
  context: CommandContext,
  { arguments: [name = ''], options: { waits } }: CommandRequest<{ readonly waits: boolean }>,
): Promise<void> {
  const publication = await context.withServices(async (services) => {
    const caller = operatorFor('admin');
    const publications = services.get(PublicationsService);
    const { id } = await zoneNamed(services, name);
    const deadline = performance.now() + (waits ? TIME_LIMIT : 0);
    const table = new LiveTable();
    let latest = await publications.of(id, caller);
    while (!latest.isPublished && performance.now() < deadline) {
      table.draw(linesOf(latest));
      await delay(PAUSE);
      latest = await publications.of(id, caller);
    }
    table.erase();
    return latest;
  });
  for (const line of linesOf(publication)) console.log(line);
  if (!publication.isPublished) throw new Error(`${name} is not on all name servers yet`);
}

/** Redraws the table on a terminal. Elsewhere only the last table is printed. */
class LiveTable {
  private drawn = 0;

  draw(lines: readonly string[]): void {
    if (!process.stdout.isTTY) return;
    this.erase();
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    this.drawn = lines.length;
  }

  erase(): void {
    if (this.drawn > 0) process.stdout.write(`\x1b[${this.drawn}A\x1b[J`);
    this.drawn = 0;
  }
}

const TITLES = ['SERVER', 'STATE', 'SERIAL', 'BEHIND', 'SINCE', 'ERROR'];

function linesOf({ zone, serial, isPublished, servers }: Publication): string[] {
  const title = `${zone.name} serial ${serial}: ${isPublished ? 'published' : 'not published yet'}`;
  if (servers.length === 0) return [title, 'there are no name servers in [service:mdns] secondaries'];
  return [title, ...new Table().lines([TITLES, ...servers.map(cellsOf)])];
}

function cellsOf({ server, state, serial, behind, since, failingSince, error }: ServerSyncStatus): string[] {
  const instant = failingSince ?? since;
  const numbers = [serial, behind].map((number) => (number === null ? '-' : String(number)));
  return [server, state, ...numbers, instant === null ? '-' : formatInstant(instant), error ?? ''];
}

export async function checkZone(
  context: CommandContext,
  { arguments: [name = ''], options: { isLive } }: CommandRequest<{ readonly isLive: boolean }>,
): Promise<void> {
  const caller = operatorFor('admin');
  const { stored, live } = await context.withServices(async (services) => {
    const { id } = await zoneNamed(services, name);
    return {
      stored: await services.get(ZoneCheckService).check(id, caller),
      live: isLive
        ? (await services.get(LiveCheckService).check(id, caller, new AbortController().signal)).findings
        : [],
    };
  });
  for (const finding of stored) console.log(describe(finding));
  for (const finding of live) console.log(`${describe(finding)}${finding.test === null ? '' : ` [${finding.test}]`}`);
  const refused = errorsIn(stored);
  if (refused !== null) throw new Error(`name servers refuse ${name}: ${refused}`);
  const broken = errorsIn(live);
  if (broken !== null) throw new Error(`${name} has ${broken} in the live DNS`);
  if (stored.length + live.length === 0) console.log(`${name} has no errors`);
}

type ShownFinding = Pick<ZoneFinding | LiveFinding, 'severity' | 'name' | 'type' | 'message'>;

function errorsIn(findings: readonly ShownFinding[]): string | null {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? null : `${errors} error${errors === 1 ? '' : 's'}`;
}

function describe({ severity, name, type, message }: ShownFinding): string {
  return `${severity}: ${name} ${type}: ${message}`;
}
