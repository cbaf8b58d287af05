import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect } from '@jest/globals';
import { COMMAND_LINE, type CommandLine } from '../support/openstack/command-line.js';
import { IS_LONG } from '../support/length.js';
import { together } from '../support/openstack/debian.js';
import { deskOf, type WayIn, WAYS_IN, WITH_KEYSTONE } from '../support/openstack/ways-in.js';
import { itWith } from '../support/run-program.js';
import { until } from '../support/until.js';

const PATIENCE = 120_000;
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const PENDING_CREATE = { status: 'PENDING', action: 'CREATE' };

describe.each(WAYS_IN)('openstack --os-auth-type $name (attack case 114)', (wayIn: WayIn) => {
  const needs = together('openstack (the command line)', COMMAND_LINE, ...wayIn.programs);
  const itHere = itWith(needs);
  const desk = deskOf(wayIn, needs);
  /** Authentication does not affect the requests: without Keystone one way is enough. */
  const itOnce = wayIn.name === WITH_KEYSTONE.name || IS_LONG ? itHere : () => undefined;
  let openstack: CommandLine;
  beforeEach(() => {
    ({ openstack } = desk());
  });

  const createZone = async (name: string): Promise<string> => {
    const { id } = await openstack.one('zone', 'create', name, '--email', 'hostmaster@example.org');
    return id as string;
  };
  /** The status of an object by `show`. */
  const untilStatus = (wanted: string, ...show: readonly string[]) =>
    until(async () => (await openstack.one(...show)).status === wanted, PATIENCE);

  itHere(
    '13.1, 13.3 zone create, list, show, set, delete',
    async () => {
      const options = ['--email', 'hostmaster@example.org', '--ttl', '600', '--description', 'made by a test'];
      const made = await openstack.one('zone', 'create', 'zones.example.org.', ...options);
      const shown = { name: 'zones.example.org.', email: 'hostmaster@example.org', ttl: 600, type: 'PRIMARY' };
      expect(made).toMatchObject({ ...shown, ...PENDING_CREATE, project_id: desk().project, pool_id: POOL });
      const { id } = made as { id: string };
      await untilStatus('ACTIVE', 'zone', 'show', id);

      const other = await createZone('other-zones.example.org.');
      const listed = await openstack.list('zone', 'list', '--name', 'zones.example.org.');
      expect(listed).toMatchObject([{ id, name: 'zones.example.org.', status: 'ACTIVE', action: 'NONE' }]);
      const all = await openstack.list('zone', 'list', '--name', '*zones.example.org.', '--sort-column', 'name');
      expect(all.map((zone) => zone.id)).toEqual([other, id]);
      expect(await openstack.one('zone', 'show', 'zones.example.org.')).toMatchObject({ id, ...shown });

      const change = ['--email', 'admin@example.org', '--ttl', '1200', '--no-description'];
      const changed = await openstack.one('zone', 'set', 'zones.example.org.', ...change);
      expect(changed).toMatchObject({ id, email: 'admin@example.org', ttl: 1200, description: null });
      expect(changed).toMatchObject({ status: 'PENDING', action: 'UPDATE' });
      expect(await openstack.one('zone', 'delete', id)).toMatchObject({ id, status: 'PENDING', action: 'DELETE' });
      expect(await openstack.refused('zone', 'show', id)).toMatch(/zone/i);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 zone create --type SECONDARY, set --masters, axfr, abandon',
    async () => {
      const secondary = ['--type', 'SECONDARY', '--masters', '127.0.0.1:9'];
      const made = await openstack.one('zone', 'create', 'secondary.example.org.', ...secondary);
      expect(made).toMatchObject({ type: 'SECONDARY', masters: '127.0.0.1:9' });
      const { id } = made as { id: string };
      const changed = await openstack.one('zone', 'set', id, '--masters', '127.0.0.1:9', '127.0.0.1:7');
      expect(changed.masters).toBe('127.0.0.1:9, 127.0.0.1:7');
      await openstack.succeed('zone', 'axfr', id);
      await openstack.succeed('zone', 'abandon', id);
      await openstack.refused('zone', 'show', id);

      const primary = await createZone('primary.example.org.');
      expect(await openstack.refused('zone', 'axfr', primary)).not.toBe('');
    },
    PATIENCE,
  );

  itOnce(
    '13.2 recordset create, list, show, set, delete',
    async () => {
      const zone = await createZone('records.example.org.');
      const create = ['recordset', 'create', zone, 'mail.records.example.org.', '--type', 'MX', '--ttl', '300'];
      const two = ['--record', '10 a.example.org.', '--record', '20 b.example.org.'];
      const made = await openstack.one(...create, ...two, '--description', 'mail');
      expect(made).toMatchObject({ type: 'MX', ttl: 300, description: 'mail', zone_id: zone, ...PENDING_CREATE });
      const { id, records } = made as { id: string; records: string };
      expect(records.split('\n').sort()).toEqual(['10 a.example.org.', '20 b.example.org.']);
      await untilStatus('ACTIVE', 'recordset', 'show', zone, id);

      const listed = await openstack.list('recordset', 'list', 'records.example.org.', '--type', 'MX');
      expect(listed).toMatchObject([{ id, name: 'mail.records.example.org.', type: 'MX' }]);
      const found = await openstack.list('recordset', 'list', zone, '--data', '10 a.example.org.');
      expect(found).toMatchObject([{ id }]);
      const everywhere = await openstack.list('recordset', 'list', 'all', '--name', 'mail.records.example.org.');
      expect(everywhere).toMatchObject([{ id }]);
      const byName = ['recordset', 'show', 'records.example.org.', 'mail.records.example.org.'];
      expect(await openstack.one(...byName)).toMatchObject({ id, ttl: 300, action: 'NONE' });

      const change = ['--record', '30 c.example.org.', '--no-ttl', '--no-description'];
      const changed = await openstack.one('recordset', 'set', zone, id, ...change);
      expect(changed).toMatchObject({ records: '30 c.example.org.', ttl: null, description: null, action: 'UPDATE' });
      expect(await openstack.one('recordset', 'delete', zone, id)).toMatchObject({ id, action: 'DELETE' });
      await openstack.refused('recordset', 'show', zone, id);
    },
    PATIENCE,
  );

  itOnce(
    '1.12 recordset set and delete with the name of a wildcard act on that set or on none',
    async () => {
      const zone = 'wildcards.example.org.';
      const [plain, wildcard] = [`def.sub.${zone}`, `*.sub.${zone}`];
      const id = await createZone(zone);
      const create = (name: string) => ['recordset', 'create', id, name, '--type', 'A', '--record', '192.0.2.1'];
      await openstack.one(...create(plain));
      await openstack.refused('recordset', 'delete', zone, wildcard);
      await openstack.refused('recordset', 'set', zone, wildcard, '--record', '192.0.2.2');
      expect(await openstack.one('recordset', 'show', zone, plain)).toMatchObject({ records: '192.0.2.1' });
      const made = await openstack.one(...create(wildcard));
      const changed = await openstack.one('recordset', 'set', zone, wildcard, '--record', '192.0.2.2');
      expect(changed).toMatchObject({ id: made.id, records: '192.0.2.2' });
      expect(await openstack.one('recordset', 'delete', zone, wildcard)).toMatchObject({ id: made.id });
      expect(await openstack.one('recordset', 'show', zone, plain)).toMatchObject({ records: '192.0.2.1' });
      await openstack.refused('zone', 'delete', `*.${zone.slice(zone.indexOf('.') + 1)}`);
      await openstack.one('zone', 'show', zone);
    },
    PATIENCE,
  );

  itOnce(
    '13.4 the managed record sets are listed, and not changed',
    async () => {
      const zone = await createZone('managed.example.org.');
      const listed = await openstack.list('recordset', 'list', zone);
      expect(listed.map(({ name, type }) => ({ name, type }))).toEqual(
        expect.arrayContaining([
          { name: 'managed.example.org.', type: 'SOA' },
          { name: 'managed.example.org.', type: 'NS' },
        ]),
      );
      for (const { id } of listed) await openstack.refused('recordset', 'delete', zone, id as string);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 zone export create, list, show, showfile, delete; import create, list, show, delete',
    async () => {
      const zone = await createZone('files.example.org.');
      await openstack.one(
        'recordset',
        'create',
        zone,
        'www.files.example.org.',
        '--type',
        'A',
        '--record',
        '192.0.2.1',
      );
      const { id: exported } = (await openstack.one('zone', 'export', 'create', zone)) as { id: string };
      await untilStatus('COMPLETE', 'zone', 'export', 'show', exported);
      expect(await openstack.list('zone', 'export', 'list')).toMatchObject([{ id: exported, zone_id: zone }]);
      const { data } = (await openstack.one('zone', 'export', 'showfile', exported)) as { data: string };
      expect(data).toMatch(/^www\.files\.example\.org\.\s.*\s192\.0\.2\.1$/m);
      await openstack.succeed('zone', 'export', 'delete', exported);
      expect(await openstack.list('zone', 'export', 'list')).toEqual([]);

      await openstack.one('zone', 'delete', zone);
      const file = join(desk().directory, 'files.example.org.zone');
      await writeFile(file, data);
      const { id: imported } = (await openstack.one('zone', 'import', 'create', file)) as { id: string };
      await untilStatus('COMPLETE', 'zone', 'import', 'show', imported);
      expect(await openstack.list('zone', 'import', 'list')).toMatchObject([{ id: imported, zone_id: UUID }]);
      const records = await openstack.list('recordset', 'list', 'files.example.org.', '--type', 'A');
      expect(records).toMatchObject([{ name: 'www.files.example.org.', records: '192.0.2.1' }]);
      await openstack.succeed('zone', 'import', 'delete', imported);
      await openstack.refused('zone', 'import', 'show', imported);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 zone transfer request create, list, show, set, delete; accept request, list, show',
    async () => {
      const zone = await createZone('transfer.example.org.');
      const request = ['zone', 'transfer', 'request'];
      const made = await openstack.one(...request, 'create', zone, '--description', 'to be deleted');
      expect(made).toMatchObject({ zone_id: zone, status: 'ACTIVE', key: expect.stringMatching(/^[A-Z0-9]{8}$/) });
      const { id: first } = made as { id: string };
      expect(await openstack.list(...request, 'list')).toMatchObject([
        { id: first, zone_name: 'transfer.example.org.' },
      ]);
      const changed = await openstack.one(...request, 'set', first, '--no-description');
      expect(changed.description).toBeNull();
      await openstack.succeed(...request, 'delete', first);
      await openstack.refused(...request, 'show', first);

      const target = ['--target-project-id', 'another-project'];
      const { id, key } = (await openstack.one(...request, 'create', zone, ...target)) as Record<string, string>;
      expect(await openstack.one(...request, 'show', id!)).toMatchObject({ id, target_project_id: 'another-project' });
      const accept = ['zone', 'transfer', 'accept'];
      const credentials = ['--transfer-id', id!, '--key', key!];
      const forThem = ['--sudo-project-id', 'another-project'];
      const accepted = await openstack.one(...accept, 'request', ...credentials, ...forThem);
      expect(accepted).toMatchObject({ zone_id: zone, zone_transfer_request_id: id, status: 'COMPLETE' });
      expect(await openstack.one(...accept, 'show', accepted.id as string, ...forThem)).toMatchObject({
        project_id: 'another-project',
        key: null,
      });
      expect(await openstack.list(...accept, 'list', ...forThem)).toMatchObject([{ id: accepted.id }]);
      await openstack.refused('zone', 'show', zone);
      const moved = await openstack.one('zone', 'show', zone, ...forThem);
      expect(moved).toMatchObject({ id: zone, project_id: 'another-project' });
      expect(await openstack.list('zone', 'list', '--all-projects')).toEqual(
        expect.arrayContaining([expect.objectContaining({ id: zone, project_id: 'another-project' })]),
      );
    },
    PATIENCE,
  );

  itOnce(
    '13.1 zone blacklist create, list, show, set, delete',
    async () => {
      const options = ['--pattern', '^bad\\.example\\.org\\.$', '--description', 'no'];
      const { id } = (await openstack.one('zone', 'blacklist', 'create', ...options)) as { id: string };
      const [shown] = await openstack.list('zone', 'blacklist', 'list');
      expect(shown).toMatchObject({ id, pattern: '^bad\\.example\\.org\\.$', description: 'no' });
      const change = ['--pattern', '^worse\\.example\\.org\\.$', '--no-description'];
      const changed = await openstack.one('zone', 'blacklist', 'set', id, ...change);
      expect(changed).toMatchObject({ pattern: '^worse\\.example\\.org\\.$', description: null });
      expect(await openstack.one('zone', 'blacklist', 'show', id)).toMatchObject({ id });
      await openstack.succeed('zone', 'blacklist', 'delete', id);
      expect(await openstack.list('zone', 'blacklist', 'list')).toEqual([]);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 tld create, list, show, set, delete',
    async () => {
      const made = await openstack.one('tld', 'create', '--name', 'org', '--description', 'all');
      const { id } = made as { id: string };
      try {
        expect(await openstack.list('tld', 'list')).toMatchObject([{ id, name: 'org', description: 'all' }]);
        expect(await openstack.refused('zone', 'create', 'example.net.', '--email', 'a@example.net')).toMatch(/tld/i);
        const changed = await openstack.one('tld', 'set', id, '--name', 'net', '--no-description');
        expect(changed).toMatchObject({ name: 'net', description: null });
        expect(await openstack.one('tld', 'show', 'net')).toMatchObject({ id });
      } finally {
        await openstack.succeed('tld', 'delete', id);
      }
      expect(await openstack.list('tld', 'list')).toEqual([]);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 tsigkey create, list, show, set, delete',
    async () => {
      const secret = Buffer.alloc(32, 1).toString('base64');
      const key = ['--name', 'a.key.', '--algorithm', 'hmac-sha256', '--secret', secret];
      const made = await openstack.one('tsigkey', 'create', ...key, '--scope', 'POOL', '--resource-id', POOL);
      expect(made).toMatchObject({
        name: 'a.key.',
        algorithm: 'hmac-sha256',
        secret,
        scope: 'POOL',
        resource_id: POOL,
      });
      const { id } = made as { id: string };
      expect(await openstack.list('tsigkey', 'list')).toMatchObject([{ id, secret }]);
      const changed = await openstack.one('tsigkey', 'set', id, '--algorithm', 'hmac-sha512');
      expect(changed).toMatchObject({ algorithm: 'hmac-sha512', secret });
      expect(await openstack.one('tsigkey', 'show', id)).toMatchObject({ id, algorithm: 'hmac-sha512' });
      await openstack.succeed('tsigkey', 'delete', id);
      expect(await openstack.list('tsigkey', 'list')).toEqual([]);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 dns quota list, set, reset',
    async () => {
      const theirs = ['--project-id', 'another-project'];
      const before = await openstack.one('dns', 'quota', 'list', ...theirs);
      expect(Object.keys(before).sort()).toEqual([
        'api_export_size',
        'recordset_records',
        'zone_records',
        'zone_recordsets',
        'zones',
      ]);
      const changed = await openstack.one('dns', 'quota', 'set', ...theirs, '--zones', '7', '--zone-records', '77');
      expect(changed).toEqual({ ...before, zones: 7, zone_records: 77 });
      expect(await openstack.one('dns', 'quota', 'list', ...theirs)).toEqual(changed);
      await openstack.succeed('dns', 'quota', 'reset', ...theirs);
      expect(await openstack.one('dns', 'quota', 'list', ...theirs)).toEqual(before);
    },
    PATIENCE,
  );

  itOnce(
    '13.1 dns service list, show; ptr record list, show, set, unset',
    async () => {
      const services = await openstack.list('dns', 'service', 'list');
      for (const { id } of services)
        expect(await openstack.one('dns', 'service', 'show', id as string)).toMatchObject({ id });
      expect(services.map(({ status }) => status)).toContain('UP');

      expect(await openstack.list('ptr', 'record', 'list')).toEqual([]);
      const address = 'regionOne:8d2a9f2f-2a0c-4c5f-8d7a-2d2d4e1d9a11';
      await openstack.refused('ptr', 'record', 'show', address);
      await openstack.refused('ptr', 'record', 'set', address, 'www.example.org.');
      await openstack.refused('ptr', 'record', 'unset', address);
    },
    PATIENCE,
  );
});
