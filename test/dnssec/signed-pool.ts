import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Pool } from '../publishing/pool.js';
import { NAMES } from '../publishing/software.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { missingPackages, type Program } from '../support/run-program.js';
import type { Settings } from '../support/service.js';
import { until } from '../support/until.js';

/** The DNSSEC resource of a domain. */
export interface Dnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly keys: readonly { readonly tag: number; readonly flags: number; readonly dnskey: string }[];
  readonly rollover: { readonly step: string } | null;
}

/** TTL of all records of a domain in seconds; short, so that waits are short. */
const TTL = 1;

/** The service with four name servers, for signed domains. */
export class SignedPool {
  private constructor(
    readonly pool: Pool,
    readonly directory: string,
  ) {}

  /** @param programs skips the name servers, and the tests that query them, when one is missing */
  static async start(programs: Program, more: Settings = {}): Promise<SignedPool> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const settings = {
      SERVICE_CENTRAL__SOA_MINIMUM: '1',
      ...DNSSEC_ON,
      ...more,
    };
    const servers = missingPackages(programs.needs).length > 0 ? [] : NAMES;
    return new SignedPool(await Pool.start({ directory, servers, settings }), directory);
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  newDomain(): Promise<TestDomain> {
    return newDomain(this.pool.clients, freshName(), { ttl: TTL });
  }

  /** Has a domain signed; resolves when every name server has it so, and its DS may be set. */
  async sign(domain: TestDomain, wish: object = {}): Promise<void> {
    await this.pool.syncNsd();
    await answerOf(this.pool.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, ...wish }));
    await until(async () => (await this.dnssecOf(domain)).state === 'ready');
    await this.published(domain);
  }

  dnssecOf({ id }: TestDomain): Promise<Dnssec> {
    return bodyOf<Dnssec>(this.pool.clients.call('get', `/v1/domains/${id}/dnssec`));
  }

  /** Resolves when every name server has the domain as it is. */
  async published({ id }: TestDomain): Promise<void> {
    const publication = this.pool.clients.call('get', `/v1/domains/${id}/publication?wait=30`);
    expect(await bodyOf(publication)).toMatchObject({ published: true });
  }
}
