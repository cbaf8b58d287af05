/** The database could not be opened; the message is one line for the operator. */
export class DatabaseOpenError extends Error {}

/** Node gathers what it tried under several addresses in an error without a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return reason;
}
