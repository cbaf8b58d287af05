/** What the operator is to read of an error: where a refusal of ours has a cause, that, in the words of the database for instance. */
export function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // What several addresses of one host have said together has a code, and no words.
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
