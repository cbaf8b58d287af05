import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Option, optionsIn, type OptionTree } from '../../src/config/option.js';

const SOURCES = 'src';

/** The options in feature files, whether or not a module collects them. */
export async function declaredOptions(): Promise<Option<unknown>[]> {
  const found = new Set<Option<unknown>>();
  for (const path of await readdir(SOURCES, { recursive: true })) {
    if (!path.endsWith('.options.ts')) continue;
    const exported = (await import(join('../..', SOURCES, path))) as Record<string, unknown>;
    for (const value of Object.values(exported))
      if (isTree(value)) for (const option of optionsIn(value)) found.add(option);
  }
  return [...found];
}

/** The option files also export classes, readers and rules. */
function isTree(value: unknown): value is OptionTree {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => isOption(member) || isTree(member));
}

function isOption(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'reader' in value && 'section' in value;
}
