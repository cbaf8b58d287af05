import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnTied } from '../support/children.js';
import { childrenOf, type Ended } from '../support/process.js';
import type { Program } from '../support/run-program.js';
import { until } from '../support/until.js';

const IS_ROOT = process.getuid?.() === 0;

/** Programs needed for the virtual machine view. */
export const MACHINE: Program = {
  name: 'this machine once more',
  needs: {
    unshare: 'util-linux',
    nsenter: 'util-linux',
    ip: 'iproute2',
    '/lib/systemd/systemd': 'systemd',
    // Named where they are missing.
    ...(IS_ROOT ? {} : { 'rights of root': 'sudo' }),
  },
};

/** The first program of a machine: systemd with next to nothing started, or one that waits. */
export const SYSTEMD = ['/lib/systemd/systemd', '--unit=basic.target'] as const;
export const NOTHING = ['sleep', 'infinity'] as const;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** In milliseconds, for a command, which may be a build on a machine with other work. */
const PATIENCE = 600_000;

/** Where a machine has the folder of the machine outside that it is shown, to be read only. */
export const SHOWN = '/shown';

/** Enters new namespaces, and a cgroup that systemd takes for the root. */
const LEAVE = `
echo $$ >"$1/cgroup.procs"
shift
exec unshare --mount --pid --net --uts --ipc --cgroup --fork --kill-child "$@"
`;

/**
 * Becomes the first program when ready. Its parameters: a directory, a folder to show or nothing, and that program. The
 * overlay omits mounts, and its private /tmp hides the outer one.
 */
const ENTER = `
set -e
ip link set lo up
place=$1
shown=$2
shift 2
mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
cd "$place/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=0755 tmpfs dev
# Not those of the machine outside, where systemd would leave a /dev/log.
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
ln -s /proc/self/fd dev/fd
mkdir dev/shm dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=0755 tmpfs run
if [ -n "$shown" ]; then
  mkdir .${SHOWN}
  mount --bind -o ro "$shown" .${SHOWN}
fi
mount -t tmpfs -o mode=1777 tmpfs tmp
pivot_root . mnt
umount -l /mnt
exec env -i container=test PATH=${PATH} "$@"
`;

/**
 * A copy of this machine made of namespaces and overlayfs: file changes are visible inside only, with separate
 * processes and network. Stopping it discards the copy.
 */
export class Machine {
  private constructor(
    private readonly outside: ChildProcess,
    private readonly pid: number,
    private readonly directory: string,
    private readonly cgroup: string,
  ) {}

  /** @param shown a folder, wherever it lies */
  static async start(first: readonly [string, ...string[]], shown = ''): Promise<Machine> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-machine-'));
    const cgroup = await mkdtemp(join(cgroups(), 'zonewright-'));
    const outside = spawnTied('sh', ['-c', LEAVE, 'sh', cgroup, 'sh', '-c', ENTER, 'sh', directory, shown, ...first], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [outside.stdout, outside.stderr])
      stream.on('data', (text: Buffer) => (said += text.toString()));
    const program = (): number | undefined => childrenOf(outside.pid ?? 0)[0];
    await until(async () => {
      if (outside.exitCode !== null) throw new Error(`the machine did not start: ${said}`);
      const [pid, name] = [program(), first[0].split('/').at(-1)];
      return pid !== undefined && (await commandOf(pid)) === name;
    }, 10_000);
    return new Machine(outside, program() ?? 0, directory, cgroup);
  }

  /** Where a file of the machine is seen from outside. */
  path(file: string): string {
    return `/proc/${this.pid}/root${file}`;
  }

  /** Runs a command of a shell as root. */
  run(command: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return new Promise((resolve) => {
      const options = {
        env: { PATH, HOME: '/root', DEBIAN_FRONTEND: 'noninteractive', ...env },
        timeout: PATIENCE,
        maxBuffer: 2 ** 26,
      };
      execFile('nsenter', [...this.into, 'sh', '-c', command], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr });
      });
    });
  }

  /** Runs a command that must succeed. Returns its output. */
  async succeed(command: string, env?: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await this.run(command, env);
    if (code !== 0) throw new Error(`${command}\nended with ${String(code)}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** With everything that runs in it. */
  async stop(): Promise<void> {
    const ended = once(this.outside, 'close');
    process.kill(this.pid, 'SIGKILL');
    await ended;
    await rm(this.directory, { recursive: true });
    for (const group of groupsBelow(this.cgroup)) rmdirSync(group);
  }

  private get into(): readonly string[] {
    const shared = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup', '--root', '--wd'];
    return ['--target', String(this.pid), ...shared, '--'];
  }
}

/** The mount point of cgroups version 2, alone or next to version 1. */
function cgroups(): string {
  const [, mounted] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
  if (mounted === undefined) throw new Error('cgroups of version 2 are not mounted');
  return mounted;
}

/** The innermost first. */
function groupsBelow(group: string): string[] {
  const inside = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...inside.flatMap(({ name }) => groupsBelow(join(group, name))), group];
}

async function commandOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
}
