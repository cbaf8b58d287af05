import { expect } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON, isNewDsAwaited } from '../support/dnssec-on.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { IS_LONG } from '../support/length.js';
import type { OwnPlace } from '../support/own-place.js';
import { type Ended, killAll, runCommand, type ServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, environmentOf, type Settings } from '../support/service.js';
import { until } from '../support/until.js';

/** In seconds, of all records: rollovers wait for it. */
const TTL = 1;

/** The database of a service, which can be brought back to a moment as docs/operating/restoring.md has it. */
export interface RestorableDatabase {
  /** Where the service runs. */
  readonly place: OwnPlace;
  /** By which the service finds it, where it is not that of the place. */
  readonly settings: () => Settings;
  /** This is the moment that it is brought back to. */
  readonly keepMoment: () => Promise<void>;
  /** Brings it back there, when no service uses it any more. */
  readonly restore: () => Promise<void>;
}

/** A rollover, and the step in which it was at the moment that is restored. */
interface Restored {
  readonly key: string;
  readonly copied: string;
  readonly wish: object;
}

/** In `swap` the DS is being replaced, so most depends on it. */
const USUALLY: readonly Restored[] = [
  { key: 'csk', copied: 'swap', wish: { key: 'csk' } },
  { key: 'algorithm', copied: 'swap', wish: { key: 'algorithm', algorithm: 'ED25519' } },
];
const AT_LENGTH: readonly Restored[] = [
  { key: 'csk', copied: 'publish', wish: { key: 'csk' } },
  { key: 'algorithm', copied: 'sign', wish: { key: 'algorithm', algorithm: 'ED25519' } },
];

export const RESTORED: readonly Restored[] = IS_LONG ? [...USUALLY, ...AT_LENGTH] : USUALLY;

export function titleOf({ key, copied }: Restored): string {
  return (
    `17.4, 23.5, 23.9: restored in the step ${copied} of a rollover of the ${key},` +
    ' a domain is published above all that was, and goes on to the end'
  );
}

/** Brings the database back to the middle of a rollover that has ended since. */
export async function expectToGoOn(database: RestorableDatabase, { copied, wish }: Restored): Promise<void> {
  const service = await RestoredService.start(database);
  const domain = await newDomain(service.clients, freshName(), { ttl: TTL });
  await answerOf(service.clients.call('put', pathOf(domain), { enabled: true, single_key: true }));
  await service.reach(domain, ({ state }) => state === 'ready');
  const first = tagsOf(await service.shown(domain));
  await answerOf(service.clients.call('post', `${pathOf(domain)}/rollovers`, wish));
  const before = await service.reach(domain, ({ rollover }) => rollover?.step === copied);
  await database.keepMoment();

  const added = tagsOf(await service.end(domain));
  await domain.newRecord({ name: domain.at('lost') });
  const { serial } = await domain.now();
  const last = serialOf(await service.reach(domain, (now) => serialOf(now) >= serial));

  await service.restore();
  const after = await service.reach(domain, (now) => serialOf(now) > last);
  // Serials also follow the time, so they exceed the last one even without the raise.
  expect(serialOf(after)).toBeGreaterThan(last + 900_000);
  expect(after.rollover?.id).toBe(before.rollover?.id);
  expect(new Set(tagsOf(after))).toEqual(new Set([...first, ...added]));
  await service.expectFaultless();
  await domainOf(service.clients, domain).newRecord({ name: domain.at('after') });
  expect(tagsOf(await service.end(domain))).toEqual(added);
  await service.expectFaultless();
}

interface Shown {
  readonly state: string;
  readonly waits_for: string | null;
  readonly published_serial: number | null;
  readonly keys: readonly { readonly tag: number }[];
  readonly rollover: { readonly id: string; readonly step: string } | null;
}

function pathOf({ id }: TestDomain): string {
  return `/v1/domains/${id}/dnssec`;
}

function serialOf({ published_serial: serial }: Shown): number {
  return serial ?? 0;
}

function tagsOf({ keys }: Shown): number[] {
  return keys.map(({ tag }) => tag);
}

/** The service before and after its database is restored. */
class RestoredService {
  private constructor(
    private readonly database: RestorableDatabase,
    private readonly port: number,
    private running: ServiceProcess,
  ) {}

  static async start(database: RestorableDatabase): Promise<RestoredService> {
    const port = await freePort();
    return new RestoredService(database, port, await database.place.start(settingsOf(database, port)));
  }

  get clients(): Clients {
    return clientsOf(this.running.url);
  }

  async restore(): Promise<void> {
    killAll(this.running);
    await this.running.ended;
    await this.database.restore();
    expect(await this.zonewright('check', '--raise-serials')).toMatchObject({ code: 0 });
    this.running = await this.database.place.start(settingsOf(this.database, this.port));
  }

  shown(domain: TestDomain): Promise<Shown> {
    return bodyOf<Shown>(this.clients.call('get', pathOf(domain)));
  }

  async reach(domain: TestDomain, isThere: (shown: Shown) => boolean): Promise<Shown> {
    let latest = await this.shown(domain);
    await until(async () => isThere((latest = await this.shown(domain))));
    return latest;
  }

  /** The parent zone has the DS of the new key as soon as that is asked for. */
  async end(domain: TestDomain): Promise<Shown> {
    for (;;) {
      const now = await this.reach(
        domain,
        ({ rollover, waits_for: waitsFor }) => rollover === null || isNewDsAwaited(waitsFor),
      );
      // PostgreSQL may read the keys before the end of the rollover, and the rollover after it.
      if (now.rollover === null) return this.shown(domain);
      await answerOf(this.clients.call('post', `${pathOf(domain)}/parent`, { ds: 'published', ttl: TTL }));
    }
  }

  async expectFaultless(): Promise<void> {
    expect(await this.zonewright('dnssec', 'check', '--all')).toMatchObject({ code: 0, stderr: '' });
  }

  private zonewright(...args: string[]): Promise<Ended> {
    const { directory } = this.database.place;
    return runCommand(directory, environmentOf(directory, settingsOf(this.database, this.port)), args);
  }
}

function settingsOf({ settings }: RestorableDatabase, port: number): Settings {
  return {
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_CENTRAL__SOA_MINIMUM: String(TTL),
    ...DNSSEC_ON,
    ...settings(),
  };
}
