import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import type { TsigKey } from '../../dns/message/tsig/tsig-key.js';
import { DomainName } from '../../dns/name.js';
import { PublishingOptions } from '../publishing.options.js';
import type { NotifiedServer } from '../publishing-readers.js';
import { DnsClient } from './dns-client.js';
import { PoolMember } from './pool-member.js';
import { serverLabel } from './server-label.js';

/** The name servers of the configuration, as this process speaks to them. */
@Injectable()
export class PoolMembers {
  readonly all: readonly PoolMember[];
  private readonly client: DnsClient;

  constructor(
    private readonly options: PublishingOptions,
    clock: Clock,
  ) {
    this.client = new DnsClient(() => toUnixSeconds(clock.now()));
    this.all = [
      ...options.servers.map((server) => this.memberOf(server, true)),
      ...options.alsoNotified.map((server) => this.memberOf(server, false)),
    ];
  }

  async end(): Promise<void> {
    for (const member of this.all) member.end();
    await this.client.close();
  }

  private memberOf(server: NotifiedServer, isAsked: boolean): PoolMember {
    const { address, port, key } = server;
    return new PoolMember(serverLabel(server), isAsked, { address, port, key: this.keyNamed(key) }, this.client);
  }

  private keyNamed(name: string | null): TsigKey | null {
    const key = this.options.keys.find((known) => known.name === name);
    return key === undefined ? null : { ...key, name: DomainName.parse(key.name) };
  }
}
