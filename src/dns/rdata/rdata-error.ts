/** Refused record data. The message has cause and remedy. */
export class RdataError extends Error {
  override readonly name = 'RdataError';

  constructor(
    message: string,
    /** The invalid field of the record. */
    readonly field: 'data' | 'priority' = 'data',
    /** Name of the invalid field of the type, if a combined check knows it. */
    readonly part?: string,
  ) {
    super(message);
  }
}
