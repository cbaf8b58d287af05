import { createRequire } from 'node:module';

/** package.json is three folders above the built file, two above the source. */
export function packageVersion(): string {
  const require = createRequire(import.meta.url);
  for (const path of ['../../../package.json', '../../package.json']) {
    try {
      const { name, version } = require(path) as { readonly name?: unknown; readonly version?: unknown };
      if (name === 'zonewright' && typeof version === 'string') return version;
    } catch {
      continue;
    }
  }
  return '0.0.0';
}
