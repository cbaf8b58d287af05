/** Says what is wrong with an entry of a master file, and how to correct it. */
export class EntryError extends Error {
  override readonly name = 'EntryError';

  constructor(
    message: string,
    /** Offset in the scanned text, in octets. */
    readonly at: number,
  ) {
    super(message);
  }
}

/**
 * Returns what `read` returns. An error of the class `kind` becomes an EntryError at the token's place, its message
 * after `prefix`; any other error passes through.
 */
export function withErrorAt<T>(
  token: { readonly at: number },
  kind: abstract new (...args: never[]) => Error,
  read: () => T,
  prefix = '',
): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof kind ? new EntryError(prefix + error.message, token.at) : error;
  }
}
