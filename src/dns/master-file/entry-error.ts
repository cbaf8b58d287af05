export class EntryError extends Error {
  override readonly name = 'EntryError';

  constructor(
    message: string,
    /** Octet offset in the scanned text. */
    readonly at: number,
  ) {
    super(message);
  }
}

/** Converts errors of class `kind` to an EntryError at the token, with `prefix` before the message. */
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
