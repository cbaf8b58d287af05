import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { CommandContext, Services } from '../../plugins/command.js';
import { ZonesService } from '../../zones/zones.service.js';
import { operatorFor } from '../operator.js';

interface SyncRequest {
  readonly options: { readonly pattern: string; readonly control: string | undefined };
}

/** What a name server without catalog zones has to add and to remove; names without the final dot, in lower case. */
interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const PAGE_SIZE = 1000;
const PATTERN = /^[\w.-]+$/;

/** Brings the zones of an NSD to those that there are. What it has by another pattern is left alone (ADR 31). */
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

/** What `nsd-control zonestatus` was made to write here. At a terminal nobody has: everything is to be added then. */
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

/** The zones that NSD has, with their patterns; those of its configuration file have none here. */
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

/** NSD refuses to add a zone that it has by another pattern. */
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

/** Runs `nsd-control` with a command of its own, and returns what it writes. */
async function run(control: string, command: string, input: string): Promise<string> {
  const [program = '', ...args] = control.split(/\s+/).filter(Boolean);
  const child = spawn(program, [...args, command], { stdio: ['pipe', 'pipe', 'inherit'] });
  // It may end without reading; its exit code says why.
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
