/** Why a master did not give a zone, in words for its owner. */
export class TransferError extends Error {
  override readonly name = 'TransferError';

  /** @param isRefusal whether asking again alone will not help: the master refuses, or what it gives cannot be taken */
  constructor(
    message: string,
    readonly isRefusal: boolean,
  ) {
    super(message);
  }
}
