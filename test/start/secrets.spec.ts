import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../support/sqlite.js';
import { temporaryDirectories } from '../support/directory.js';
import { startServiceProcess } from '../support/process.js';
import { sendRaw } from '../support/raw-http.js';
import { databaseFileIn, environmentOf } from '../support/service.js';

const newDirectory = temporaryDirectories();

describe('the log', () => {
  it('2.3 logs an unexpected error, and never a token', async () => {
    const directory = await newDirectory();
    const env = environmentOf(directory, { SERVICE_API__AUTH_STRATEGY: 'token' });
    const service = await startServiceProcess(directory, env);
    const token = (await readFile(join(directory, 'admin-token'), 'utf8')).trim();
    const start = service.output().stdout.length;
    const ask = (path: string, headers: Record<string, string>) => fetch(`${service.url}${path}`, { headers });

    const guesses = [
      'wrong-token-in-header',
      'wrong-token-as-bearer',
      'wrong-token-in-query',
      'wrong-token-in-garbage',
    ];
    expect((await ask('/v1/domains', { 'X-Auth-Token': token })).status).toBe(200);
    expect((await ask('/v1/domains', { 'X-Auth-Token': guesses[0]! })).status).toBe(401);
    expect((await ask('/v1/domains', { Authorization: `Bearer ${guesses[1]!}` })).status).toBe(401);
    expect((await ask(`/v1/domains?token=${guesses[2]!}`, {})).status).toBe(401);
    expect((await sendRaw(service.url, `GET / HTTP/1.1\nX-Auth-Token: ${guesses[3]!}\n\n`)).status).toBe(400);

    const database = new Database(databaseFileIn(directory));
    database.exec('ALTER TABLE zones RENAME TO mislaid');
    database.close();
    const failed = await ask(`/v1/domains/11111111-2222-4333-8444-555555555555?token=${token}`, {
      'X-Auth-Token': token,
    });
    expect(failed.status).toBe(500);

    service.signal('SIGTERM');
    const { code, stdout, stderr } = await service.ended;
    expect(code).toBe(0);
    const log = stdout.slice(start) + stderr;
    expect(log).toContain(failed.headers.get('x-openstack-request-id'));
    expect(log).toContain('no such table');
    for (const secret of [token, ...guesses]) expect(log).not.toContain(secret);
  });
});
