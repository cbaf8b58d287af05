import { setTimeout as delay } from 'node:timers/promises';
import { formatInstant } from '../../common/clock.js';
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

export async function checkZone(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  const findings = await context.withServices(async (services) => {
    const { id } = await zoneNamed(services, name);
    return services.get(ZoneCheckService).check(id, operatorFor('admin'));
  });
  for (const finding of findings) console.log(describe(finding));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) throw new Error(`name servers refuse ${name}: ${errors} error${errors === 1 ? '' : 's'}`);
  if (findings.length === 0) console.log(`${name} has no errors`);
}

function describe({ severity, name, type, message }: ZoneFinding): string {
  return `${severity}: ${name} ${type}: ${message}`;
}
