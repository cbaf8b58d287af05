import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small mounted file system; needs the right to mount, which root has outside of most containers. */
export interface SmallDisk {
  readonly directory: string;
  remount(options: 'ro' | 'rw'): void;
  remove(): void;
}

/** `null` where mounting is not allowed. */
export function mountSmallDisk(size: string): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'zonewright-disk-'));
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory)) {
    rmSync(directory, { recursive: true });
    return null;
  }
  return {
    directory,
    remount: (options) => {
      if (!run('mount', '-o', `remount,${options}`, directory)) throw new Error(`cannot remount ${directory}`);
    },
    remove: () => {
      if (!run('umount', directory)) run('umount', '-l', directory);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Sets or clears the attribute that makes a file unchangeable for everybody, root included. */
export function setImmutable(isImmutable: boolean, ...files: string[]): boolean {
  return run('chattr', isImmutable ? '+i' : '-i', ...files);
}

/** Whether the attribute stops processes with an open file: true on ext4, false on tmpfs. */
export async function immutableStopsWriters(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'zonewright-immutable-'));
  const path = join(directory, 'file');
  const file = await open(path, 'w');
  try {
    return (
      setImmutable(true, path) &&
      (await file.write('x').then(
        () => false,
        () => true,
      ))
    );
  } finally {
    await file.close();
    setImmutable(false, path);
    rmSync(directory, { recursive: true });
  }
}

/** Writes into a new file until the disk is full. */
export async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const sizes = [262_144, 4096, 1];
  try {
    for (const size of sizes) while (await writes(() => file.appendFile(Buffer.alloc(size)))) continue;
  } finally {
    await file.close();
  }
}

async function writes(write: () => Promise<void>): Promise<boolean> {
  return write().then(
    () => true,
    () => false,
  );
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
