import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** Says whose rights are missing, which is not the caller's where a package runs commands as the user of the service. */
export function unwritable(file: string, error: unknown): Error {
  const directory = dirname(file);
  const reason = (error as NodeJS.ErrnoException).code;
  if (reason === 'EACCES' || reason === 'EPERM')
    return new Error(
      `cannot write ${file}: the user ${currentUser()}, who runs this, may not write in ${directory};` +
        ' name a directory of that user, such as that of the database',
    );
  if (reason === 'ENOENT') return new Error(`cannot write ${file}: there is no directory ${directory}`);
  return new Error(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`);
}

/** In a container it may have no name. */
function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
