import { Logger } from '@nestjs/common';
import { type Clock, SystemClock } from '../../src/common/clock.js';
import { DomainName } from '../../src/dns/name.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { NameServer } from '../../src/publishing/name-server/name-server.js';
import { NotifyHandler } from '../../src/publishing/name-server/query-handler.js';
import { NoUpdateHandler } from '../../src/publishing/name-server/update-handler.js';
import type { NameServerLimits, PublishingKey, PublishingOptions } from '../../src/publishing/publishing.options.js';
import type { ZoneSource } from '../../src/publishing/transfers/zone-source.js';

export const KEY: PublishingKey = {
  name: 'transfer.',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a secret of thirty-two octets!!!'),
};

const LIMITS: NameServerLimits = {
  connections: 1000,
  connectionsPerAddress: 100,
  pipelined: 64,
  datagrams: 1000,
  idleTimeout: 10,
  readTimeout: 30,
  transferTimeout: 600,
};

export interface Settings extends Partial<Omit<PublishingOptions, 'limits'>> {
  readonly limits?: Partial<NameServerLimits>;
  readonly clock?: Clock;
}

export interface TestNameServer {
  readonly port: number;
  readonly address: string;
  stop(grace?: number): Promise<void>;
}

/** The name server alone on a free port of 127.0.0.1, which everybody there may ask unless the test says otherwise. */
export async function startNameServer(zones: ZoneSource, settings: Settings = {}): Promise<TestNameServer> {
  const { limits, clock = new SystemClock(), ...options } = settings;
  const all: PublishingOptions = {
    listen: { host: '127.0.0.1', port: 0 },
    tls: null,
    copySpace: 2 ** 26,
    zoneSize: 2 ** 23,
    keys: [KEY],
    servers: [],
    alsoNotified: [],
    access: [{ network: '127.0.0.0/8', key: null }],
    readers: [],
    masters: [],
    tlsPrimaries: [],
    tlsPrimariesCa: null,
    resolvers: [],
    catalog: null,
    ...options,
    limits: { ...LIMITS, ...limits },
  };
  Logger.overrideLogger(['error']);
  const server = new NameServer(all, zones, new NobodysNotifies(), new NoUpdateHandler(), clock);
  const { address, port } = await server.start();
  return { address, port, stop: (grace = 0) => server.stop(grace) };
}

class NobodysNotifies extends NotifyHandler {
  override take(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** The key as the wire format has it. */
export function tsigKey({ name, algorithm, secret }: PublishingKey = KEY): TsigKey {
  return { name: DomainName.parse(name), algorithm, secret };
}
