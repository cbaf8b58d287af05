import { statSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where package.json is, seen from dist/src/config. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Lets Node.js keep what it compiles, so that programs start sooner: 22 and newer can, 20 does nothing. To be called before
 * anything else is imported. Where nothing can be kept, programs start as before. systemd sets `CACHE_DIRECTORY`.
 */
export function keepCompiledCode(): void {
  const directory = process.env.CACHE_DIRECTORY ?? ownDirectory();
  if (directory !== null) (module as Partial<CompileCache>).enableCompileCache?.(directory);
}

/** Declared by the types of newer versions of Node.js alone. */
interface CompileCache {
  enableCompileCache(directory: string): unknown;
}

/** Beside the code, where that belongs to who runs it: what is kept is run unseen, so nobody else may have written it. */
function ownDirectory(): string | null {
  const uid = process.getuid?.();
  const isOurs = uid === undefined || statSync(PACKAGE).uid === uid;
  return isOurs ? path.join(PACKAGE, '.cache') : null;
}
