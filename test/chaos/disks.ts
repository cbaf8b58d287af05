import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LibcTrouble } from '../abuse/libc-trouble.js';
import { type Node, NODES } from '../failover/patroni-cluster.js';
import { PROGRAMS } from '../failover/replicated-postgres.js';
import { fill } from '../support/disk.js';

/** Larger than a run writes; memory is allocated on write. */
const SIZE = '1g';
const SYNC_SECONDS = 1;

/** Disks of the cluster nodes, each with a size limit; can be filled and slowed down. */
export class Disks {
  /** The folder of PostgreSQL's programs, which the nodes are to be started from. */
  readonly programs: string;
  private readonly mounted: string[] = [];

  /** @param cluster the directory that the cluster will be in */
  constructor(
    private readonly cluster: string,
    trouble: LibcTrouble,
  ) {
    this.programs = join(cluster, 'programs');
    mkdirSync(this.programs, { recursive: true });
    for (const program of readdirSync(PROGRAMS))
      if (program !== 'postgres') symlinkSync(join(PROGRAMS, program), join(this.programs, program));
    writeFileSync(join(this.programs, 'postgres'), slowable(trouble), { mode: 0o755 });
    for (const node of NODES) this.mount(join(cluster, node));
  }

  async fill(node: Node): Promise<void> {
    // Without a mounted disk, the path is on the disk of the host.
    if (this.mounted.includes(join(this.cluster, node))) await fill(this.ballastOf(node));
  }

  async empty(node: Node): Promise<void> {
    await rm(this.ballastOf(node), { force: true });
  }

  slowDown(node: Node): Promise<void> {
    return writeFile(this.flagOf(node), '');
  }

  async speedUp(node: Node): Promise<void> {
    await rm(this.flagOf(node), { force: true });
  }

  remove(): void {
    for (const directory of this.mounted) spawnSync('umount', ['-l', directory]);
  }

  private mount(directory: string): void {
    mkdirSync(directory);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory]);
    if (status === 0) this.mounted.push(directory);
  }

  private ballastOf(node: Node): string {
    return join(this.cluster, node, 'ballast');
  }

  private flagOf(node: Node): string {
    return join(this.cluster, `${node}.slow`);
  }
}

/**
 * PostgreSQL with slow syncs while a flag file exists next to the node directory. The node starts it with `-D` first.
 */
function slowable(trouble: LibcTrouble): string {
  const variables = Object.entries(trouble.slowSync('$(dirname "$2").slow', SYNC_SECONDS));
  const settings = variables.map(([name, value]) => `${name}="${value}"`).join(' ');
  return `#!/bin/sh\nif [ "$1" = -D ]; then export ${settings}; fi\nexec ${join(PROGRAMS, 'postgres')} "$@"\n`;
}
