import { statSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, relative to dist/src/config. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

/** For Node.js 22 and newer. Call it before all other imports. systemd sets `CACHE_DIRECTORY`. */
export function keepCompiledCode(): void {
  const directory = process.env.CACHE_DIRECTORY ?? ownDirectory();
  if (directory !== null) (module as Partial<CompileCache>).enableCompileCache?.(directory);
}

/** Older types of Node.js lack it. */
interface CompileCache {
  enableCompileCache(directory: string): unknown;
}

/** `null` unless the user owns the code: Node.js does not verify cached code, so no other user may write it. */
function ownDirectory(): string | null {
  const uid = process.getuid?.();
  const isOurs = uid === undefined || statSync(PACKAGE).uid === uid;
  return isOurs ? path.join(PACKAGE, '.cache') : null;
}
