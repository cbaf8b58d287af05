import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { execFileSync, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { COMMAND_LINE } from '../support/process.js';
import { FolderTest } from '../support/zone-folder.js';

const EXAMPLES = resolve('examples/dns-as-code');
const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];

let test: FolderTest;
let bin: string;

beforeAll(async () => {
  test = await FolderTest.start();
  bin = join(test.directory, 'bin');
  await mkdir(bin);
  await program('zonewright', `exec "${process.execPath}" "${COMMAND_LINE}" "$@"`);
  for (const name of ['gh', 'curl']) await program(name, `echo "${name} $*" >> "$LOG"; cp plan.md "$LOG.md"`);
});
afterAll(() => test.stop());

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, name), 0o755);
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', [...IDENTITY, ...args], { cwd, stdio: 'ignore' });
}

/** A bare repository with the zones of the example, and a clone of it. */
async function repository(name: string): Promise<{ readonly work: string; checkout(): string }> {
  const [bare, work] = [join(test.directory, `${name}.git`), join(test.directory, name)];
  git(test.directory, 'init', '--bare', bare);
  git(test.directory, 'clone', bare, work);
  await cp(join(EXAMPLES, 'zones'), join(work, 'zones'), { recursive: true });
  let checkouts = 0;
  const checkout = (): string => {
    git(work, 'add', '-A');
    git(work, 'commit', '-m', 'Change zones');
    git(work, 'push', 'origin', 'HEAD:main');
    const copy = join(test.directory, `${name}-run${checkouts++}`);
    git(test.directory, 'clone', '--branch', 'main', bare, copy);
    return copy;
  };
  return { work, checkout };
}

/** Runs a script as the runners do. Returns its exit code and the commands that it gave to `gh` and `curl`. */
function run(cwd: string, script: string, env: Record<string, string>): { code: number | null; output: string } {
  const ended = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...test.env, ...env, PATH: `${bin}:${process.env.PATH ?? ''}`, LOG: join(cwd, 'log') },
    encoding: 'utf8',
  });
  return { code: ended.status, output: ended.stdout + ended.stderr };
}

async function replaceIn(file: string, from: string, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
}

type Steps = readonly { readonly run?: string; readonly name?: string }[];

describe('examples/dns-as-code', () => {
  it('17.8, 17.9 the commands of the GitHub workflow comment, apply and report drift', async () => {
    const { jobs } = parse(await readFile(join(EXAMPLES, 'github-workflow.yml'), 'utf8')) as {
      jobs: Record<string, { steps: Steps }>;
    };
    const env = { NUMBER: '7', GITHUB_SHA: 'abc', GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' };
    const step = (job: string, name: string): string => jobs[job]!.steps.find((one) => one.name === name)!.run!;
    const { work, checkout } = await repository('github');
    const proposed = checkout();
    // The mailbox of the YAML zone comes from the command line of a person.
    expect(run(proposed, step('plan', 'Plan'), env)).toMatchObject({ code: 0 });
    expect(await readFile(join(proposed, 'output'), 'utf8')).toBe('code=1\n');
    expect(run(proposed, 'zonewright apply zones --create --email hostmaster@example.org', env)).toMatchObject({
      code: 0,
    });

    await replaceIn(join(work, 'zones/variables.yaml'), '.80', '.81');
    const changed = checkout();
    expect(run(changed, step('plan', 'Plan'), env).code).toBe(0);
    expect(await readFile(join(changed, 'output'), 'utf8')).toBe('code=2\n');
    expect(run(changed, step('plan', 'Comment'), env).code).toBe(0);
    expect(await readFile(join(changed, 'log'), 'utf8')).toBe(
      'gh pr comment 7 --body-file plan.md --edit-last --create-if-none\n',
    );
    expect(await readFile(join(changed, 'log.md'), 'utf8')).toContain('+www.example.net. A 192.0.2.81');

    expect(run(changed, step('drift', 'Drift'), env).code).toBe(2);
    expect(run(changed, step('apply', 'Apply'), env)).toMatchObject({ code: 0 });
    expect(run(changed, step('drift', 'Drift'), env).code).toBe(0);
    expect((await test.run('zone', 'history', 'example.net')).stdout).toContain('serial ');
  });

  it('17.8, 17.9 the commands of the GitLab pipeline comment, apply their plan and report drift', async () => {
    const jobs = parse(await readFile(join(EXAMPLES, 'gitlab-ci.yml'), 'utf8')) as Record<string, { script: string[] }>;
    const script = (job: string): string => jobs[job]!.script.join('\n');
    const api = { DNS_BOT_TOKEN: 't', CI_API_V4_URL: 'https://gitlab.example/api/v4', CI_PROJECT_ID: '3' };
    const env = { ...api, CI_MERGE_REQUEST_IID: '8', CI_COMMIT_SHA: 'abc' };
    const { work, checkout } = await repository('gitlab');
    run(checkout(), 'zonewright apply zones --create --email hostmaster@example.org', env);
    await replaceIn(join(work, 'zones/shared/mail.zone'), '10 ', '20 ');
    const changed = checkout();
    expect(run(changed, script('plan'), env)).toMatchObject({ code: 0, output: '' });
    expect(await readFile(join(changed, 'log'), 'utf8')).toContain(
      'https://gitlab.example/api/v4/projects/3/merge_requests/8/notes',
    );
    expect(run(changed, script('plan-main'), env).code).toBe(0);
    expect(run(changed, script('apply'), env)).toMatchObject({ code: 0 });
    expect(run(changed, script('drift'), env)).toMatchObject({ code: 0 });
  });
});
