import { readFile } from 'node:fs/promises';
import { objectIn, type InputObject } from '../input.js';

/** A PowerDNS whose zones are read over its API. */
interface PowerDnsAddress {
  /** With or without `/api/v1`, and the server. */
  readonly url: string;
  readonly key: string;
}

/** In milliseconds; a list of many zones takes PowerDNS minutes. */
const LONGEST_LIST = 1_800_000;
const LONGEST_ZONE = 120_000;
/** How often a request is sent that finds nobody, or a server in trouble. */
const ATTEMPTS = 3;
const PAUSE = 1000;

export class PowerDnsSource {
  private readonly base: string;

  constructor(private readonly address: PowerDnsAddress) {
    this.base = baseOf(address.url);
  }

  /** The ids of all zones. */
  async zones(): Promise<readonly string[]> {
    const list = await this.get('/zones?dnssec=false', LONGEST_LIST);
    if (!Array.isArray(list)) throw new Error(`${this.base}/zones is no list of zones`);
    return list.map((zone) => String(objectIn(zone, 'A zone').id));
  }

  /** A zone with its record sets; `null` where it has gone. */
  async zone(id: string): Promise<InputObject | null> {
    const zone = await this.get(`/zones/${encodeURIComponent(id)}`, LONGEST_ZONE);
    return zone === null ? null : objectIn(zone, 'A zone');
  }

  private async get(path: string, longest: number): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.ask(path, longest);
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof Refused) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE * attempt));
      }
  }

  private async ask(path: string, longest: number): Promise<unknown> {
    const headers = { 'X-API-Key': this.address.key, Accept: 'application/json' };
    const response = await fetch(this.base + path, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(longest),
    });
    if (response.status === 404) return null;
    if (response.ok) return response.json();
    const said = `${this.base}${path} is answered ${response.status}: ${(await response.text()).slice(0, 200)}`;
    throw response.status >= 500 ? new Error(said) : new Refused(said);
  }
}

/** Asking again would not help. */
class Refused extends Error {}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new Error(`${JSON.stringify(url)} is no URL such as http://127.0.0.1:8081`);
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\/zones$/, '');
  if (/\/servers\/[^/]+$/.test(path)) return parsed.origin + path;
  const root = path.replace(/\/api(?:\/v1)?$/, '');
  return `${parsed.origin}${root}/api/v1/servers/localhost`;
}

/** A key that is in a file is seen by nobody who lists processes. */
export async function keyOf(key: string | undefined, file: string | undefined): Promise<string> {
  if (key !== undefined && file === undefined) return key;
  if (key === undefined && file !== undefined) return (await readFile(file, 'utf8')).trim();
  throw new Error('give the key of PowerDNS by --key or --key-file');
}
