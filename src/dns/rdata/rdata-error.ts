/** Record data that is refused; the message names the fault and the way out. */
export class RdataError extends Error {
  override readonly name = 'RdataError';

  constructor(
    message: string,
    /** The field of the record at fault. */
    readonly field: 'data' | 'priority' = 'data',
  ) {
    super(message);
  }
}
