/** What the service says of its audit. */
export abstract class AuditOptions {
  /** Days for which entries are kept that the history of no zone has; `null`: for ever. */
  abstract readonly days: number | null;
}
