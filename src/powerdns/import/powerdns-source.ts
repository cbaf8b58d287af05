import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../common/service-error.js';
import { KeyFileError, type ReadKey, readKeyFiles } from '../../dns/dnssec/key-files.js';
import type { SigningRequest } from '../../dnssec/keys/first-keys.js';
import { objectIn, type InputObject, listIn } from '../input.js';

interface PowerDnsAddress {
  /** With or without `/api/v1` and the server path. */
  readonly url: string;
  readonly key: string;
}

/** Milliseconds. PowerDNS needs minutes for a list of many zones. */
const LONGEST_LIST = 1_800_000;
const LONGEST_ZONE = 120_000;
/** Attempts while the server is unreachable or fails. */
const ATTEMPTS = 3;
const PAUSE = 1000;

export class PowerDnsSource {
  private readonly base: string;

  constructor(private readonly address: PowerDnsAddress) {
    this.base = baseOf(address.url);
  }

  async zones(): Promise<readonly string[]> {
    const list = await this.get('/zones?dnssec=false', LONGEST_LIST);
    if (!Array.isArray(list)) throw new Error(`${this.base}/zones is no list of zones`);
    return list.map((zone) => String(objectIn(zone, 'A zone').id));
  }

  /** A zone with its record sets; `null` if deleted. */
  async zone(id: string): Promise<InputObject | null> {
    const zone = await this.get(`/zones/${encodeURIComponent(id)}`, LONGEST_ZONE);
    return zone === null ? null : objectIn(zone, 'A zone');
  }

  /** The DNSSEC keys of a zone, with private keys. */
  async keys(id: string): Promise<readonly InputObject[]> {
    const path = `/zones/${encodeURIComponent(id)}/cryptokeys`;
    const list = await this.get(path, LONGEST_ZONE);
    if (!Array.isArray(list)) return [];
    const keys: InputObject[] = [];
    for (const entry of list) {
      const key = await this.get(`${path}/${String(objectIn(entry, 'A key').id)}`, LONGEST_ZONE);
      if (key !== null) keys.push(objectIn(key, 'A key'));
    }
    return keys;
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

/** Prefer a file: process lists show options. */
export async function keyOf(key: string | undefined, file: string | undefined): Promise<string> {
  if (key !== undefined && file === undefined) return key;
  if (key === undefined && file !== undefined) return (await readFile(file, 'utf8')).trim();
  throw new Error('give the key of PowerDNS by --key or --key-file');
}

/** Types that the signer generates. */
const SIGNING = new Set(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY']);
/** Types that the signer generates at the apex (RFC 7344 §4, RFC 8976 §2). */
const SIGNING_APEX = new Set(['CDS', 'CDNSKEY', 'ZONEMD']);
const KEPT = ['name', 'kind', 'account', 'masters', 'soa_edit_api', 'soa_edit', 'api_rectify'];
const WORDS = {
  soa_edit_api: ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE', 'NONE', ''],
  soa_edit: ['INCREMENT-WEEKS', 'INCEPTION-EPOCH', 'INCEPTION-INCREMENT', 'EPOCH', 'NONE', ''],
};

/**
 * Converts a PowerDNS zone into a create request.
 * @param note receives each unsupported field with the number of affected records
 */
export function transcribed(zone: InputObject, note: (difference: string, amount?: number) => void): InputObject {
  const body: Record<string, unknown> = Object.fromEntries(KEPT.map((field) => [field, zone[field]]));
  if ((zone.catalog ?? '') !== '') note('catalogs are not imported');
  for (const [field, words] of Object.entries(WORDS))
    if (typeof body[field] === 'string' && !words.includes(body[field].toUpperCase())) {
      note(`${field} ${body[field]} is not known`);
      body[field] = undefined;
    }
  const rrsets = (listIn(zone, 'rrsets') ?? []).map((rrset) => objectIn(rrset, 'An rrset'));
  const isSigned = zone.dnssec === true || rrsets.some(({ type }) => SIGNING.has(String(type)));
  const isApex = ({ name }: InputObject): boolean => String(name).toLowerCase() === String(zone.name).toLowerCase();
  const signing = rrsets.filter(
    (rrset) => SIGNING.has(String(rrset.type)) || (isSigned && SIGNING_APEX.has(String(rrset.type)) && isApex(rrset)),
  );
  for (const rrset of signing)
    note(
      `${String(rrset.type)} records are omitted: the service generates them`,
      (listIn(rrset, 'records') ?? []).length,
    );
  // The primaries of a secondary zone have its records.
  return { ...body, rrsets: isSecondary(zone) ? [] : rrsets.filter((rrset) => !signing.includes(rrset)) };
}

export function isSecondary({ kind }: InputObject): boolean {
  return /^(slave|secondary)$/i.test(String(kind));
}

/**
 * The request that signs the zone with its keys at PowerDNS: those that sign there.
 * @param keys as `GET /zones/<id>/cryptokeys/<key id>` shows them, with private keys
 * @throws ServiceError `signing_conflict` for keys that cannot be read
 */
export function signingWith(zone: InputObject, keys: readonly InputObject[]): SigningRequest {
  const active = keys.filter(({ active: isActive }) => isActive === true);
  if (active.length === 0) throw refused(zone, 'it has no active key');
  const isNsec3 = typeof zone.nsec3param === 'string' && zone.nsec3param !== '';
  return { denial: isNsec3 ? 'nsec3' : 'nsec', keys: active.map((key) => readKey(zone, key)) };
}

/** The service has NSEC3 as RFC 9276 advises. */
export function hasOtherNsec3({ nsec3param }: InputObject): boolean {
  return typeof nsec3param === 'string' && nsec3param !== '' && !/^1 [01] 0 -$/.test(nsec3param);
}

function readKey(zone: InputObject, { id, dnskey, privatekey }: InputObject): ReadKey {
  if (typeof privatekey !== 'string' || typeof dnskey !== 'string')
    throw refused(zone, `PowerDNS does not show the private key ${String(id)}`);
  try {
    return readKeyFiles(`${String(zone.name)} IN DNSKEY ${dnskey}\n`, privatekey);
  } catch (error) {
    throw error instanceof KeyFileError ? refused(zone, `key ${String(id)}: ${error.message}`) : error;
  }
}

function refused({ name }: InputObject, why: string): ServiceError {
  return new ServiceError(
    'signing_conflict',
    `${String(name)} is signed, but its keys cannot be imported: ${why}; import it unsigned with --without-keys.`,
  );
}
