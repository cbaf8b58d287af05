import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runCommand, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf } from '../support/service.js';

jest.setTimeout(600_000);

let directory: string;
let staged: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-staged-'));
  // `npm run test:nodes` names one that another Node.js has made.
  staged = process.env.ZONEWRIGHT_STAGED ?? stage();
});
afterAll(() => rm(directory, { recursive: true }));

function stage(): string {
  const folder = join(directory, 'stage');
  execFileSync(process.execPath, ['scripts/stage.mjs', folder], { stdio: 'pipe' });
  return folder;
}

describe('the staged files of the Debian package and the image', () => {
  it('serves, keeps its data, and has its command line', async () => {
    const env = environmentOf(directory);
    const service = await startServiceProcess(directory, env, [join(staged, 'dist/src/main.js')]);
    const admin = clientsOf(service.url);
    const { body: domain } = await admin
      .call('post', '/v1/domains', { name: 'example.org.', email: 'hostmaster@example.org' })
      .expect(200);
    await admin
      .call('post', `/v1/domains/${domain.id}/records`, { name: 'www.example.org.', type: 'A', data: '192.0.2.1' })
      .expect(200);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });

    const program = join(staged, 'dist/src/cli/main.js');
    expect(await runCommand(directory, env, ['check'], { program })).toMatchObject({ code: 0, stderr: '' });
    expect(await runCommand(directory, env, ['backup', 'copy.sqlite'], { program })).toMatchObject({
      code: 0,
      stdout: 'wrote copy.sqlite and verified it: domains 1, records 1\n',
    });
  });
});
