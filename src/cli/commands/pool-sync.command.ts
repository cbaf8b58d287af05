import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { CommandContext, Services } from '../../plugins/command.js';
import { ZonesService } from '../../zones/zones.service.js';
import { operatorFor } from '../operator.js';

interface SyncRequest {
  readonly options: { readonly pattern: string; readonly control: string | undefined };
}

/** Zones to add to and remove from NSD; names in lower case without the final dot. */
interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const PAGE_SIZE = 1000;
const PATTERN = /^[\w.-]+$/;

/** Adds and removes zones of an NSD pattern. Zones of other patterns stay (ADR 31). */
export async function syncPool(context: CommandContext, { options }: SyncRequest): Promise<void> {
  const { pattern, control } = options;
  if (!PATTERN.test(pattern))
    throw new Error(`--pattern ${JSON.stringify(pattern)}: the name of a pattern in nsd.conf`);
  const status = control === undefined ? await givenStatus() : await run(control, 'zonestatus', '');
  const zones = await context.withServices(namesOfZones);
  const { added, removed } = differenceOf(zonesIn(status), pattern, zones);
  if (control === undefined) {
    for (const name of added) console.log(`nsd-control addzone ${name} ${pattern}`);
    for (const name of removed) console.log(`nsd-control delzone ${name}`);
    return;
  }
  if (added.length > 0) await run(control, 'addzones', added.map((name) => `${name} ${pattern}\n`).join(''));
  if (removed.length > 0) await run(control, 'delzones', removed.map((name) => `${name}\n`).join(''));
  console.log(`added ${added.length}, removed ${removed.length}`);
}

/** The output of `nsd-control zonestatus` on standard input; empty at a terminal, so all zones are added. */
function givenStatus(): Promise<string> {
  return process.stdin.isTTY ? Promise.resolve('') : text(process.stdin);
}

async function namesOfZones(services: Services): Promise<Set<string>> {
  const names = new Set<string>();
  const zones = services.get(ZonesService);
  for (let marker = ''; ;) {
    const { entries } = await zones.page(operatorFor('admin'), marker, PAGE_SIZE);
    for (const { name } of entries) names.add(name.toLowerCase().replace(/\.$/, ''));
    const last = entries.at(-1);
    if (last === undefined) return names;
    marker = last.id;
  }
}

/** The zones of NSD with their patterns; `null` for zones of its configuration file. */
function zonesIn(status: string): Map<string, string | null> {
  const zones = new Map<string, string | null>();
  let zone = '';
  for (const line of status.split('\n')) {
    const [, key, value = ''] = /^\s*(zone|pattern):\s*(\S+)/.exec(line) ?? [];
    if (key === 'zone') zones.set((zone = value.toLowerCase().replace(/\.$/, '')), null);
    else if (key === 'pattern') zones.set(zone, value);
  }
  return zones;
}

/** NSD rejects a zone that another pattern has. */
function differenceOf(
  present: ReadonlyMap<string, string | null>,
  pattern: string,
  wanted: ReadonlySet<string>,
): Difference {
  return {
    added: [...wanted].filter((name) => !present.has(name)),
    removed: [...present].filter(([name, its]) => its === pattern && !wanted.has(name)).map(([name]) => name),
  };
}

async function run(control: string, command: string, input: string): Promise<string> {
  const [program = '', ...args] = control.split(/\s+/).filter(Boolean);
  const child = spawn(program, [...args, command], { stdio: ['pipe', 'pipe', 'inherit'] });
  // The exit code explains an early end.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`--control: ${error.message}`)));
    child.once('close', resolve);
  });
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`${program} ${command} ended with ${String(code)}: ${output.trim()}`);
  return output;
}
