import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };

/** Where Node.js would find a package: in the folder of the package that asks for it, or in one further up. */
function foldersAbove(place: string): string[] {
  const parts = place.split('/node_modules/');
  return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/node_modules/')}/`), ''];
}

const isLocked = (place: string, name: string): boolean =>
  foldersAbove(place).some((folder) => `${folder}node_modules/${name}` in packages);

describe('package-lock.json', () => {
  it('has the packages for every platform, without which npm ci refuses it', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(place, name))
        .map((name) => `${place} needs ${name}: see "Packages" in CONTRIBUTING.md`),
    );
    expect(missing).toEqual([]);
  });

  it('names the version and the digest of each package, and no registry', () => {
    const locked = Object.entries(packages).filter(([place]) => place !== '');
    const incomplete = locked.filter(
      ([, { version, integrity, resolved }]) => !version || !integrity || resolved !== undefined,
    );
    expect(incomplete.map(([place]) => place)).toEqual([]);
  });
});
