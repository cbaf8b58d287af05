/** Why a target was not called. Its message is for the tenant whose webhook it is. */
export class TargetFault extends Error {
  constructor(
    readonly kind: 'blocked' | 'timeout' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'TargetFault';
  }
}
