import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { KEY, tsigKey } from '../support/name-server.js';
import {
  add,
  type Asked,
  isFree,
  type KeyFields,
  remove,
  startUpdateService,
  updateOf,
  Updater,
  type UpdateService,
} from '../support/updates.js';

const CONFIGURED = `${KEY.name}:${KEY.algorithm}:${Buffer.from(KEY.secret).toString('base64')}`;

let service: UpdateService;
let domain: TestDomain;
let lines: string[];
beforeAll(async () => {
  service = await startUpdateService({ SERVICE_MDNS__TSIG_KEYS: CONFIGURED, DEFAULT__QUOTA_ZONE_RECORDS: '1' });
  const warn = (line: string): number => lines.push(line);
  Logger.overrideLogger({ warn, log: () => undefined, error: warn });
});
afterAll(async () => {
  Logger.overrideLogger(['error']);
  await service.stop();
});
beforeEach(async () => {
  domain = await newDomain(service);
  lines = [];
});

const www = (): string => domain.at('www');
const addition = (): Asked => ({ updates: [add(www(), 60, 'A', '192.0.2.1')] });

describe('the log of refused updates', () => {
  it.each<[string, KeyFields, () => Asked, string]>([
    ['owner names', { names: ['dhcp.*'] }, addition, 'REFUSED: .* to create A at www\\..* its "names" are others'],
    ['types', { types: ['TXT'] }, addition, 'REFUSED: .* to create A at www\\..* its "types" are others'],
    ['actions', { actions: ['delete'] }, addition, 'REFUSED: .* to create A at www\\..* its "actions" are others'],
    [
      'types of a name',
      { types: ['TXT'] },
      () => ({ updates: [add(www(), 1, 'TXT', '"t"'), remove(domain.at('x'), 'A')] }),
      'REFUSED: .* to delete A at x\\..* its "types" are others',
    ],
    [
      'the requested change',
      { names: ['dhcp.*'] },
      () => ({ prerequisites: [isFree(www())] }),
      'REFUSED: .* to change records at www\\..* its "names" are others',
    ],
    ['domains', { domains: ['example.net.'] }, addition, 'NOTAUTH: the key has no zone of that name'],
    [
      'a quota',
      {},
      () => ({ updates: ['a', 'b'].map((label) => add(domain.at(label), 60, 'A', '192.0.2.1')) }),
      'REFUSED: .*records',
    ],
    ['a rule for names', {}, () => ({ updates: [add(domain.at('-x'), 60, 'A', '192.0.2.1')] }), 'REFUSED: .*-x'],
    ['the form', {}, () => ({ updates: [{ ...remove(www(), 'A'), ttl: 60 }] }), 'FORMERR: .* www\\.'],
    [
      'a name outside',
      {},
      () => ({ updates: [add('x.example.net.', 60, 'A', '192.0.2.1')] }),
      'NOTZONE: x\\.example\\.net\\.',
    ],
  ])('20.2 says which key it was, and that the reason is %s', async (_, fields, asked, expected) => {
    const updater = await service.newUpdater(fields);
    await updater.update(domain.name, asked());
    const begin = `an update of key ${updater.key.name.toString()} from 127.0.0.1 to ${domain.name} is answered `;
    expect(lines).toEqual([expect.stringMatching(new RegExp(begin + expected))]);
  });

  it('20.2 reports that a message names no zone', async () => {
    const updater = await service.newUpdater();
    await updater.send(updateOf(domain.name, addition(), { questions: [] }));
    expect(lines).toEqual([
      expect.stringContaining(`key ${updater.key.name.toString()} from 127.0.0.1 to no zone is answered FORMERR`),
    ]);
  });

  it('20.2, 20.8 reports a key for other addresses, or for name servers', async () => {
    const elsewhere = await service.newUpdater({ networks: ['192.0.2.0/24'] });
    await elsewhere.update(domain.name, addition());
    await new Updater(service.dns, tsigKey()).update(domain.name, addition());
    expect(lines).toEqual([
      expect.stringContaining(
        `key ${elsewhere.key.name.toString()} from 127.0.0.1 is rejected: the key does not allow this address`,
      ),
      expect.stringContaining(`key ${KEY.name} of [service:mdns] tsig_keys is for name servers`),
    ]);
  });

  it('20.2 reports why a signature is bad, and the supported algorithms', async () => {
    const { key } = await service.newUpdater();
    const message = updateOf(domain.name, addition());
    await new Updater(service.dns, { ...key, name: DomainName.parse('unknown.') }).send(message).catch(() => undefined);
    await new Updater(service.dns, { ...key, secret: Buffer.alloc(32) }).send(message).catch(() => undefined);
    expect(lines).toEqual([
      expect.stringMatching(/\(BADKEY\): no TSIG key named unknown\. .* hmac-sha256, hmac-sha384, hmac-sha512\.$/),
      expect.stringContaining(`(BADSIG): TSIG key ${key.name.toString()} has another secret`),
    ]);
  });
});
