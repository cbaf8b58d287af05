import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import type { ImportBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { startTokenService } from '../support/token-service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ DEFAULT__QUOTA_ZONE_RECORDS: '10000' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});

const PLAN = '?dry_run=true&findings=true';

/** The export of a registrar, with its usual faults. */
const EXPORT = `@ 3600 SOA ns1.old.example. hostmaster.old.example. 1 7200 900 1209600 300
@ NS ns1.old.example.
@ NS ns2.old.example.
@ MX 10 mail
@ MX 20 mail2
mail A 192.0.2.1
@ TXT v=spf1 include:_spf.example.net ~all
cdn CNAME d111.cloudfront.net
`;

describe('findings of an import', () => {
  it('15.9 lists the findings of the file and of the zone with the import, each with its line', async () => {
    const { findings } = await zone.import(EXPORT, PLAN);
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'unspaced_spf', line: 7 }),
      expect.objectContaining({ kind: 'missing_dot', line: 8, text: 'd111.cloudfront.net.' }),
      expect.objectContaining({ kind: 'other_name_server', line: 2, text: 'ns1.old.example.' }),
      expect.objectContaining({ kind: 'other_name_server', line: 3, text: 'ns2.old.example.' }),
      expect.objectContaining({ kind: 'no_address', line: 5, text: zone.at('mail2'), severity: 'warning' }),
    ]);
  });

  it('15.9 stores nothing, and lists the changes only with diff=true', async () => {
    expect(await zone.import(EXPORT, PLAN)).not.toHaveProperty('diff');
    const { created, ...report } = await zone.import(EXPORT, `${PLAN}&diff=true`);
    expect(report).toHaveProperty('diff.length', created);
    expect(await zone.import(EXPORT, '?dry_run=true')).toMatchObject({ created });
  });

  it('15.9 omits findings that the zone has already', async () => {
    await zone.import('@ MX 20 mail2\n');
    const { findings } = await zone.import('@ MX 20 mail2\nwww A 192.0.2.1\n', PLAN);
    expect(findings).toBeUndefined();
  });

  it('15.9 names an error for which name servers refuse the zone', async () => {
    const { findings } = await zone.import('sub NS ns.sub\n', PLAN);
    expect(findings).toMatchObject([{ severity: 'error', type: 'NS', line: 1 }]);
  });

  it('15.9 leaves out the name servers of the apex with skip_name_servers=true', async () => {
    const { findings, skipped } = await zone.import(EXPORT, `${PLAN}&skip_name_servers=true`);
    expect(skipped).toBe(3);
    expect(findings?.map(({ type }) => type)).not.toContain('NS');
    await zone.import('@ NS ns.own.example.\nold A 192.0.2.1\n');
    const replaced = await zone.import('www A 192.0.2.1\n', '?mode=replace&skip_name_servers=true');
    expect(replaced).toMatchObject({ created: 1, removed: 1 });
    expect((await zone.fetchFile()).text).toContain('ns.own.example.');
  });

  it('15.7 warns of an owner name that has the name of the zone twice', async () => {
    const { findings } = await zone.import(`www.${zone.name.slice(0, -1)} A 192.0.2.1\n`);
    expect(findings).toMatchObject([{ kind: 'missing_dot', text: zone.at('www'), line: 1 }]);
    expect((await zone.check()).warnings).toMatchObject([{ type: 'A', message: expect.stringMatching(/twice/) }]);
  });

  it('15.9 names the records of a large file only', async () => {
    const { findings } = await zone.import(
      '$GENERATE 1-5001 h$ A 192.0.2.1\n@ MX 10 none\n@ NS ns.old.example.\n',
      PLAN,
    );
    expect(findings).toMatchObject([{ kind: 'other_name_server', line: 3 }]);
  });

  it('15.9 reports a target without its final dot once', async () => {
    const { findings } = await zone.import('@ MX 10 mx.example.net\n', PLAN);
    expect(findings).toMatchObject([{ kind: 'missing_dot', line: 1, text: 'mx.example.net.' }]);
  });

  it('15.2 lists the conflicts of records together with the faults of lines', async () => {
    expect(await zone.refuse('www A 192.0.2.300\nftp A 192.0.2.1\nftp CNAME www\n')).toEqual([
      expect.stringMatching(/^1:/),
      expect.stringMatching(/^3:.*line 2/),
    ]);
  });

  it('15.9 requires a dry run', async () => {
    await refusalOf(zone.sendFile('www A 192.0.2.1\n', '?findings=true'), 400, 'invalid_object');
  });

  it('15.9 reveals nothing of the domain to a scoped token', async () => {
    const tokens = await startTokenService();
    zone = await newDomain(await tokens.newToken());
    const scoped = await tokens.newToken({ restrictions: { domains: [zone.name] } });
    const request = scoped.call('post', `/v1/domains/${zone.id}/import${PLAN}`).set('Content-Type', 'text/dns');
    const body = await bodyOf<ImportBody>(request.send('@ MX 10 none\n'));
    expect(body).toMatchObject({ created: 1 });
    expect(body).not.toHaveProperty('findings');
    await tokens.stop();
  });
});
