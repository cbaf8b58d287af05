import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, Rcode } from '../../src/dns/message/codes.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { TsigClient } from '../../src/dns/message/tsig/tsig-client.js';
import type { TsigKey, UnixClock } from '../../src/dns/message/tsig/tsig-key.js';
import { ask, queryOf, rcodeOf, sendDatagram, transfer, unixTime } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { DOCUMENTED_KEY, DOCUMENTED_SECRET, serialOf } from '../support/name-servers/name-servers.js';
import { itWith, missingPackages } from '../support/run-program.js';
import { Pool, until } from './pool.js';
import { serversOf } from './software.js';

const SERVERS = ['BIND', 'Knot'] as const;
const PROGRAMS = serversOf(SERVERS);
const OTHER_SECRET = Buffer.from('another secret than the other one').toString('base64');
const ZONE = 'keys.example.org';
const TEN_MINUTES = 600;

const KEY: TsigKey = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
};

let pool: Pool;
let domain: TestDomain;
beforeAll(async () => {
  const servers = missingPackages(PROGRAMS.needs).length > 0 ? [] : SERVERS;
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  pool = await Pool.start({ directory, servers, zones: [ZONE], secrets: { Knot: OTHER_SECRET } });
  domain = await newDomain(pool.clients, `${ZONE}.`);
});
afterAll(() => pool.stop());

describe('a name server with another secret', () => {
  itWith(PROGRAMS)('12.1 gets nothing, and the one with the right secret all', async () => {
    await pool.expectExport(domain, [pool.server('BIND')]);
    const knot = pool.server('Knot');
    await until('Knot was refused', async () => knot.log.includes('failed to verify TSIG'));
    expect(await serialOf(knot.port, domain.name)).toBeNull();
  });
});

describe('a client', () => {
  const soa = async (key: TsigKey, clock: UnixClock): Promise<string> => {
    const client = new TsigClient(key, clock);
    const octets = await sendDatagram(pool, client.sign(queryOf({ name: domain.name, type: SOA.code })));
    const message = readMessage(octets ?? Buffer.alloc(0));
    client.verify(octets ?? Buffer.alloc(0), message);
    return rcodeOf(message);
  };

  it('12.1 with the key is answered', async () => {
    expect(await soa(KEY, unixTime)).toBe('NOERROR');
    const { records } = await transfer(pool, { name: domain.name, type: MetaType.AXFR }, KEY);
    expect(records.at(-1)?.type).toBe(SOA.code);
  });

  it('12.1 without a key, and with a wrong key, gets no data', async () => {
    for (const name of [domain.name, 'nowhere.example.net.'])
      expect(rcodeOf(await ask(pool, { name, type: SOA.code }))).toBe('REFUSED');
    const other = { ...KEY, secret: Buffer.from(OTHER_SECRET, 'base64') };
    await expect(soa(other, unixTime)).rejects.toMatchObject({ code: Rcode.BADSIG });
    const unknown = { ...KEY, name: DomainName.parse('another.') };
    await expect(soa(unknown, unixTime)).rejects.toMatchObject({ code: Rcode.BADKEY });
  });

  it.each([TEN_MINUTES, -TEN_MINUTES])('12.1 whose clock is %d seconds off gets the server time', async (off) => {
    const clock: UnixClock = () => unixTime() + off;
    const refusal = await soa(KEY, clock).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: Rcode.BADTIME });
  });
});
