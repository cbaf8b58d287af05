/** Record data that is refused; the message says what is wrong and how to correct it. */
export class RdataError extends Error {
  override readonly name = 'RdataError';

  constructor(
    message: string,
    /** The field of the record that has the error. */
    readonly field: 'data' | 'priority' = 'data',
    /** The name of the field of the type that is at fault, where a check of all of them knows it. */
    readonly part?: string,
  ) {
    super(message);
  }
}
