import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readVitalSigns, RELEASE, type ThreadData } from './watchdog-data.js';
import { type Debugger, Session } from 'node:inspector';

const LOOK_EVERY = 250;
/** In milliseconds. */
const STANDSTILL = 2000;
const SAID_AGAIN = 60_000;
const STDERR = 2;

// From `Watchdog`.
const { vitalSigns, folders, limit, isJson } = workerData as ThreadData;
const names = new Map<number, string>();
let beats = -1;
/** In checks: if the whole process is stopped, this thread is too. */
let still = 0;
let saidAt: number | null = null;
let found = '';
let isOfAPlugin = false;

parentPort?.on('message', ([mark, name]: [number, string]) => names.set(mark, name));
setInterval(look, LOOK_EVERY);

function look(): void {
  const now = readVitalSigns(vitalSigns);
  if (now.beats !== beats) {
    if (saidAt !== null) say('warn', `the event loop runs again, after ${seconds(still)} s in ${found}`);
    [beats, still, saidAt] = [now.beats, 0, null];
    return;
  }
  still += LOOK_EVERY;
  if (still === STANDSTILL) void investigate();
  if (saidAt !== null && still - saidAt >= SAID_AGAIN) tell();
  if (limit > 0 && still >= limit && saidAt !== null && isOfAPlugin) end();
}

/** Also lets signals end the process. */
async function investigate(): Promise<void> {
  const { mark } = readVitalSigns(vitalSigns);
  const marked = mark === 0 ? null : (names.get(mark) ?? null);
  // Native code has no location, and answers when it ends.
  const location = await new StackSampler().look(`globalThis[Symbol.for(${JSON.stringify(RELEASE)})]()`, (stack) =>
    ownerOf(stack),
  );
  if (readVitalSigns(vitalSigns).beats !== beats) return;
  isOfAPlugin = marked !== null || (location?.owner ?? null) !== null;
  found = whereabouts(marked, location);
  tell();
}

/** The innermost frame of a plugin decides. */
function ownerOf(urls: readonly string[]): string | null {
  for (const url of urls) {
    const owner = folders.find(({ folder }) => url.startsWith(folder));
    if (owner !== undefined) return owner.plugin;
  }
  return null;
}

function whereabouts(marked: string | null, location: Location | null): string {
  const owner = location?.owner ?? null;
  const words = [
    owner === null ? null : `plugin ${owner}`,
    marked === null ? null : `the call of ${marked}`,
    location === null ? null : `at ${location.at}`,
  ].filter((word) => word !== null);
  return words.length === 0 ? 'native code' : words.join(', ');
}

function tell(): void {
  saidAt = still;
  const ending = limit > 0 && isOfAPlugin ? `; it is ended after ${seconds(limit)} s` : '';
  say('error', `the event loop has been blocked for ${seconds(still)} s in ${found}: no request is answered${ending}`);
}

/** Nothing but SIGKILL reaches an endless loop. */
function end(): void {
  say('error', `the event loop has been blocked for ${seconds(still)} s in ${found}: the process is ended`);
  process.kill(process.pid, 'SIGKILL');
}

/** console.error would need the main thread. */
function say(level: 'warn' | 'error', msg: string): void {
  const time = new Date().toISOString();
  const line = JSON.stringify({ level, time, pid: process.pid, context: 'Watchdog', msg });
  writeSync(STDERR, isJson ? `${line}\n` : `zonewright: ${msg}\n`);
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}

interface Location {
  /** `checkFor (file:///…/limits.js:12)` */
  readonly at: string;
  readonly owner: string | null;
}

/** In milliseconds; native code does not pause. */
const TIME_LIMIT = 5000;

/** Reads the main thread's stack: the debugger pauses it inside its loop, without opening a port. */
class StackSampler {
  /** Returns `null` in native code. @param ownerOf gets the URLs of the stack, the innermost first */
  look(expression: string, ownerOf: (urls: readonly string[]) => string | null): Promise<Location | null> {
    return new Promise((resolve) => {
      const session = new Session();
      const urls = new Map<string, string>();
      const finish = (found: Location | null): void => {
        clearTimeout(timer);
        // Disconnecting also resumes the thread.
        session.disconnect();
        resolve(found);
      };
      const timer = setTimeout(() => finish(null), TIME_LIMIT);
      session.connectToMainThread();
      session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
      session.on('Debugger.paused', ({ params: { callFrames } }) => {
        session.post('Runtime.evaluate', { expression }, () => {
          session.post('Debugger.resume', () => finish(locationOf(callFrames, urls, ownerOf)));
        });
      });
      session.post('Debugger.enable', () => session.post('Debugger.pause'));
    });
  }
}

function locationOf(
  frames: readonly Debugger.CallFrame[],
  urls: ReadonlyMap<string, string>,
  ownerOf: (urls: readonly string[]) => string | null,
): Location | null {
  const [innermost] = frames;
  if (innermost === undefined) return null;
  const urlOf = ({ location: { scriptId } }: Debugger.CallFrame): string => urls.get(scriptId) ?? '';
  const name = innermost.functionName === '' ? 'a function' : innermost.functionName;
  const at = `${name} (${urlOf(innermost)}:${innermost.location.lineNumber + 1})`;
  return { at, owner: ownerOf(frames.map(urlOf)) };
}
