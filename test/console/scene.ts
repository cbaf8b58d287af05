import { Clock, type Instant } from '../../src/common/clock.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { AUDIT_ON } from '../support/audit-entries.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { addressRecord, dnsAnswer, HostileMaster, soaRecord, zoneOf } from '../support/hostile-master.js';
import { Secondary } from '../support/secondary.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { TAKES_UPDATES } from '../support/updates.js';
import type { ZoneBody } from '../support/v2.js';
import { untilDeliveries, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

/** The time of the scene, which stands still for users. */
export const NOW = '2026-11-28T09:30:00Z';

/** The zone that lags on one name server. */
const LATE = 'shop.example.';
/** The zone that other name servers are the primaries of. */
const SECONDARY = 'partner.example.';
/** The zone that moves in. */
export const MOVING = 'moving.example.';

/** The records of `example.org.`, each type of a common zone. */
const RECORDS = [
  ['www', 'A', '192.0.2.80', null, 300],
  ['www', 'AAAA', '2001:db8::80', null, 300],
  ['mail', 'A', '192.0.2.25'],
  ['@', 'MX', 'mail.example.org.', 10],
  ['@', 'TXT', '"v=spf1 mx -all"'],
  ['@', 'CAA', '0 issue "letsencrypt.org"'],
  ['api', 'CNAME', 'www.example.org.'],
  ['_sip._tcp', 'SRV', '5 5060 mail.example.org.', 10],
  ['lab', 'NS', 'ns1.example.net.'],
  ['*.shop', 'A', '192.0.2.81', null, 3600],
] as const;

/** The records of the zone that moves in. */
const MOVED = [
  { name: MOVING, type: 'A', data: '203.0.113.80', ttl: 300 },
  { name: MOVING, type: 'MX', data: `mail.${MOVING}`, priority: 10 },
  { name: `mail.${MOVING}`, type: 'A', data: '203.0.113.25' },
  { name: `www.${MOVING}`, type: 'CNAME', data: MOVING },
];

/**
 * A service with the data that every page of the console shows: zones with a history, name servers of which one lags, a
 * signed zone, tokens, an update key and a webhook. Its clock moves only between the steps of the story.
 */
export class Scene {
  private constructor(
    readonly service: TokenService,
    /** An admin of the tenant `acme`. */
    readonly anna: TokenClient,
    private readonly deploy: TokenClient,
    private readonly servers: readonly Secondary[],
    private readonly receiver: WebhookReceiver,
    private readonly primary: HostileMaster,
    private readonly clock: SceneClock,
  ) {}

  readonly zones: TestDomain[] = [];

  /** Another user adds a record to `example.org.` */
  async meddle(): Promise<void> {
    const [zone] = this.zones;
    const record = { name: zone?.at('beta'), type: 'A', data: '192.0.2.67' };
    await bodyOf(this.deploy.call('post', `/v1/domains/${zone?.id}/records`, record));
  }

  static async start(): Promise<Scene> {
    const servers = [await Secondary.start(), await Secondary.start()];
    const receiver = await WebhookReceiver.listening();
    const soa = soaRecord(SECONDARY, 2026112601);
    const primary = await HostileMaster.start({
      axfr: (query) => [dnsAnswer(query, [soa, addressRecord(`www.${zoneOf(query)}`, 90, 3600), soa])],
    });
    const service = await startTokenService({
      ...TAKES_UPDATES,
      ...AUDIT_ON,
      ...WEBHOOKS_ON,
      ...DNSSEC_ON,
      SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net., ns2.example.net.',
      SERVICE_MDNS__SECONDARIES: servers.map(({ address }) => address).join(', '),
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
      SERVICE_POWERDNS__ENABLED: 'True',
    });
    const clock = clockOf(service);
    clock.at('2026-11-20T08:00:00Z');
    const anna = await service.newToken({ roles: ['admin'], description: 'Anna' });
    const deploy = await service.newToken({ description: 'deploy' });
    const scene = new Scene(service, anna, deploy, servers, receiver, primary, clock);
    await scene.tell();
    return scene;
  }

  get url(): string {
    return this.service.url;
  }

  /** Texts of this run, and the texts that stand for them in pictures. */
  get texts(): readonly (readonly [string, string])[] {
    return [
      ...this.servers.map(({ address }, index) => [address, `192.0.2.${53 + index}:53`] as const),
      [this.receiver.url('/'), 'https://hooks.example.org/dns'],
      [this.primary.address, '198.51.100.53:53'],
      [new URL(this.url).host, 'dns.example.net'],
    ];
  }

  /** Both name servers transfer every change, except that the second one lacks the last one of `shop.example.` */
  private transfer(): void {
    for (const [index, server] of this.servers.entries())
      server.onNotify = (name) =>
        void this.serialOf(name)
          .then((serial) => server.serials.set(name, serial - (index === 1 && name === LATE ? 1 : 0)))
          // Without an answer, the service sends the NOTIFY again.
          .catch(() => undefined);
  }

  /** Waits until the name servers have the zones as the story says: nothing moves after the clock has stopped. */
  private async untilTransferred(): Promise<void> {
    for (const zone of this.zones)
      await until(async () => {
        const states = (await this.publicationOf(zone)).servers.map(({ state }) => state);
        return states.join() === (zone.name === LATE ? 'current,behind' : 'current,current');
      });
  }

  async stop(): Promise<void> {
    await this.service.stop();
    for (const server of this.servers) await server.stop();
    await this.receiver.stop();
    this.primary.stop();
  }

  private async tell(): Promise<void> {
    const { anna, deploy, clock } = this;
    this.transfer();
    const zone = await this.create('example.org.');
    clock.at('2026-11-20T08:10:00Z');
    const changes = RECORDS.map(([label, type, data, priority = null, ttl = null]) => ({
      action: 'create',
      record: { name: label === '@' ? zone.name : zone.at(label), type, data, priority, ttl },
    }));
    await this.change(zone, changes, 'First records');
    clock.at('2026-11-26T15:40:00Z');
    const [www] = (await zone.records()).filter(({ type }) => type === 'AAAA');
    await this.change(zone, [{ action: 'update', id: www?.id, record: { ttl: 600 } }], 'Longer TTL of the web server');

    // Each step has its own minute, so that serials do not depend on the speed of the machine.
    clock.at('2026-11-27T10:00:00Z');
    const shop = await this.create(LATE);
    clock.at('2026-11-27T10:01:00Z');
    await shop.newRecord({ name: shop.at('www'), data: '203.0.113.10' });
    clock.at('2026-11-27T10:02:00Z');
    const signed = await this.create('signed.example.');
    clock.at('2026-11-27T10:03:00Z');
    await signed.newRecord({ name: signed.at('www'), data: '203.0.113.11' });
    clock.at('2026-11-27T10:04:00Z');
    await this.create('empty.example.');
    clock.at('2026-11-27T10:05:00Z');
    const former = await newDomain(anna, 'former.example.');
    await answerOf(anna.call('delete', `/v1/domains/${former.id}`));
    clock.at('2026-11-27T10:06:00Z');
    await bodyOf(anna.call('put', `/v1/domains/${signed.id}/dnssec`, { enabled: true, algorithm: 'ED25519' }));
    clock.at('2026-11-27T10:07:00Z');
    await bodyOf(anna.call('post', '/v1/tokens', { description: 'Monitoring', roles: ['reader'] }));
    const key = { name: 'certbot.example.org.', names: ['_acme-challenge.*'], types: ['TXT'], description: 'certbot' };
    await bodyOf(anna.call('post', '/v1/update-keys', key));
    clock.at('2026-11-27T10:08:00Z');
    const moving = await this.create(MOVING);
    await this.change(
      moving,
      MOVED.map((record) => ({ action: 'create', record })),
      'Zone file of the old provider',
    );
    clock.at('2026-11-27T10:09:00Z');
    await this.createSecondary();
    await this.untilTransferred();
    // The time until caches have forgotten the unsigned answers begins here.
    await this.untilSigned(signed, ({ waits_on }) => waits_on === 'caches');

    // The service removes successful deliveries after ten minutes.
    clock.at('2026-11-28T09:25:00Z');
    await this.untilSigned(signed, ({ state }) => state === 'ready');
    const webhook = { url: this.receiver.url('/'), description: 'Flush the cache', actions: ['record.update'] };
    const { id } = await bodyOf<{ id: string }>(anna.call('post', '/v1/webhooks', webhook));
    await anna.call('post', `/v1/webhooks/${id}/test`);
    await untilDeliveries(anna, id, 'delivered', 1);
    clock.at('2026-11-28T09:26:00Z');
    const test = { name: zone.at('test'), type: 'A', data: '192.0.2.66', description: 'until Monday' };
    await bodyOf(deploy.call('post', `/v1/domains/${zone.id}/records`, test));
    await this.untilTransferred();
    clock.stop(NOW);
  }

  private async untilSigned({ id }: TestDomain, isSo: (signing: Signing) => boolean): Promise<void> {
    await until(async () => isSo(await bodyOf<Signing>(this.anna.call('get', `/v1/domains/${id}/dnssec`))));
  }

  private async createSecondary(): Promise<void> {
    const zone = { name: SECONDARY, type: 'SECONDARY', masters: [this.primary.address] };
    const { id } = await bodyOf<ZoneBody>(this.anna.call('post', '/v2/zones', zone), 202);
    await until(async () => (await bodyOf<ZoneBody>(this.anna.call('get', `/v2/zones/${id}`))).transferred_at !== null);
    this.zones.push(domainOf(this.anna, await bodyOf(this.anna.call('get', `/v1/domains/${id}`))));
  }

  private async create(name: string): Promise<TestDomain> {
    const zone = await newDomain(this.anna, name);
    this.zones.push(zone);
    return zone;
  }

  private change(zone: TestDomain, changes: readonly object[], message: string): Promise<unknown> {
    return bodyOf(this.anna.call('post', `/v1/domains/${zone.id}/changes`, { changes, message }));
  }

  private publicationOf({ id }: { readonly id: string }): Promise<Publication> {
    return bodyOf(this.anna.call('get', `/v1/domains/${id}/publication`));
  }

  /** Of a zone that may be created at this moment. */
  private async serialOf(name: string): Promise<number> {
    const list = this.anna.call('get', `/v1/domains?name=${name}`);
    const [zone] = (await bodyOf<{ domains: { id: string }[] }>(list)).domains;
    if (zone === undefined) throw new Error(`no zone ${name}`);
    return (await this.publicationOf(zone)).serial;
  }
}

interface Signing {
  readonly state: string;
  readonly waits_on: string | null;
}

interface Publication {
  readonly serial: number;
  readonly servers: readonly { readonly state: string }[];
}

interface SceneClock {
  /** It goes on from this time. */
  readonly at: (time: string) => void;
  /** Each reading is a microsecond later, so that identifiers stay in order. */
  readonly stop: (time: string) => void;
}

function clockOf(service: TokenService): SceneClock {
  const clock = service.running.application.app.get(Clock, { strict: false });
  const instantOf = (time: string): Instant => Date.parse(time) * 1000;
  return {
    at: (time) => {
      const begun = performance.now();
      const start = instantOf(time);
      clock.now = () => start + Math.floor((performance.now() - begun) * 1000);
    },
    stop: (time) => {
      let instant = instantOf(time);
      clock.now = () => (instant += 1);
    },
  };
}
