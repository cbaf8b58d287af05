import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Program } from '../run-program.js';
import { environmentAt, PYTHON, PYTHON_PACKAGES, succeedDebian } from './debian.js';

const TESTS = resolve(import.meta.dirname, '../../openstack');
/** In node_modules, since it is not part of the project either. */
const GO_CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/zonewright/go');
const GO_PACKAGES = '/usr/share/gocode';

export const SDK: Program = {
  name: 'openstacksdk',
  needs: { [`${PYTHON_PACKAGES}/openstack/dns/v2/zone.py`]: 'python3-openstacksdk' },
};

export const GOPHERCLOUD: Program = {
  name: 'gophercloud',
  needs: {
    '/usr/bin/go': 'golang-go',
    [`${GO_PACKAGES}/src/github.com/gophercloud/gophercloud/openstack/dns/v2/zones/requests.go`]:
      'golang-github-gophercloud-gophercloud-dev',
  },
};

/** Runs test/openstack/sdk.py. @returns its observations, by step */
export async function runSdk(home: string, login: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const script = join(TESTS, 'sdk.py');
  return JSON.parse(await succeedDebian([PYTHON, script], environmentAt(home, login), { cwd: home }));
}

/** Compiles test/openstack/gophercloud.go with Debian's Go packages, without downloads. @returns the program */
export async function compileGophercloud(directory: string): Promise<string> {
  const program = join(directory, 'gophercloud');
  await mkdir(GO_CACHE, { recursive: true });
  const settings = { GO111MODULE: 'off', GOPATH: GO_PACKAGES, GOCACHE: GO_CACHE, GOPROXY: 'off', CGO_ENABLED: '0' };
  const command = ['go', 'build', '-o', program, join(TESTS, 'gophercloud.go')] as const;
  await succeedDebian(command, environmentAt(directory, settings), { timeout: 240_000, cwd: directory });
  return program;
}

/** Runs the compiled program. @returns its observations, by step */
export async function runGophercloud(
  program: string,
  home: string,
  login: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  return JSON.parse(await succeedDebian([program], environmentAt(home, login), { cwd: home }));
}
