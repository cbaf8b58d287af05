import { expect } from '@jest/globals';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { administrator } from '../../src/common/caller.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import type { Settings } from '../support/service.js';
import type { TokenClient, TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { newWebhook, type WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

/** Everything that a restore is about: tokens, webhooks, and domains that are signed. */
export const EVERYTHING_ON: Settings = {
  ...WEBHOOKS_ON,
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  ...DNSSEC_ON,
};

interface Dnssec {
  readonly state: string;
  readonly keys: readonly { readonly tag: number }[];
}

/** The state at a moment, and later changes. */
export class Story {
  private keys: readonly number[] = [];
  private later: TokenClient | null = null;
  private handedOut = 0;

  private constructor(
    private readonly receiver: WebhookReceiver,
    private readonly owner: TokenClient,
    private readonly revokedLater: TokenClient,
    readonly domain: TestDomain,
  ) {}

  static async before(service: TokenService, receiver: WebhookReceiver): Promise<Story> {
    const [owner, revokedLater] = [await service.newToken(), await service.newToken()];
    const domain = await newDomain(owner);
    await newWebhook(owner, { url: receiver.url('/hook'), actions: ['record.create'] });
    const story = new Story(receiver, owner, revokedLater, domain);
    await story.create(domain, 'old');
    await bodyOf(owner.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }));
    await until(async () => (await story.dnssec(owner)).state === 'proving');
    story.keys = (await story.dnssec(owner)).keys.map(({ tag }) => tag);
    await receiver.untilReceived(1, '/hook');
    return story;
  }

  /** Makes changes that a restore to the moment reverts. */
  async goOn(service: TokenService): Promise<void> {
    this.later = await service.newToken();
    const tokens = service.running.application.app.get(TokensService, { strict: false });
    expect(await tokens.revoke(this.revokedLater.id, administrator('operator', 'cli'))).toBe(true);
    // More changes than seconds: the serials run ahead of the time.
    for (let at = 0; at < 30; at += 1) await this.create(this.domain, `new${at}`);
    this.handedOut = (await this.domain.now()).serial;
    await this.receiver.untilReceived(31, '/hook');
  }

  /** As docs/operating/restoring.md has it, after the serials were raised. */
  async expectRestored(service: TokenService): Promise<void> {
    const owner = service.holding(this.owner.token);
    const domain = domainOf(owner, this.domain);
    const { serial } = await domain.now();
    expect(serial).toBeGreaterThan(this.handedOut + 900_000);
    expect((await domain.records()).map(({ name }) => name)).toEqual([domain.at('old')]);
    await this.expectTokens(service);
    await until(async () => (await this.dnssec(owner)).state === 'proving');
    expect((await this.dnssec(owner)).keys.map(({ tag }) => tag)).toEqual(this.keys);
    await this.expectEvent(domain);
    expect((await domain.now()).serial).toBe(serial + 1);
  }

  private async expectTokens(service: TokenService): Promise<void> {
    await answerOf(service.holding(this.revokedLater.token).call('get', '/v1/domains'));
    await refusalOf(service.holding(this.later!.token).call('get', '/v1/domains'), 401, 'access_denied');
  }

  /** The webhook is there, and its first event has the number, and so the id, of one that was sent before the restore. */
  private async expectEvent(domain: TestDomain): Promise<void> {
    const sent = this.receiver.at('/hook').length;
    await this.create(domain, 'newer');
    const events = (await this.receiver.untilReceived(sent + 1, '/hook')).map(({ event }) => event);
    const last = events.at(-1)!;
    expect(last.data).toMatchObject({ after: { name: domain.at('newer') } });
    expect(events.slice(0, sent).map(({ id }) => id)).toContain(last.id);
    expect(last.data.serial).toBeGreaterThan(this.handedOut);
  }

  private async create(domain: TestDomain, label: string): Promise<void> {
    await bodyOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));
  }

  private dnssec(client: TokenClient): Promise<Dnssec> {
    return bodyOf<Dnssec>(client.call('get', `/v1/domains/${this.domain.id}/dnssec`));
  }
}
