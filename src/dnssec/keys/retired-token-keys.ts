import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { SigningContext } from '../signing-context.js';
import { IN_TOKEN, KeyToken } from '../../dns/dnssec/key-token.js';
import type { ZoneKeyEntity } from './zone-key.entity.js';

/** A backup of that age can be restored. */
const KEPT = 30 * DAY;
const PAGE_SIZE = 500;

/** Destroys private keys in the token 30 days after their last use. */
@Injectable()
export class RetiredTokenKeys {
  constructor(
    private readonly context: SigningContext,
    private readonly token: KeyToken,
    private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const before = this.clock.now() - KEPT;
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const after: string = marker;
      const page = await this.context.read((tx) => this.context.keys.page(tx, after, PAGE_SIZE));
      for (const row of page) {
        if (signal.aborted) return;
        const isOver = row.retiredAt !== null && row.retiredAt < before;
        if (isOver && row.sealed !== null && row.sealedWith === IN_TOKEN) await this.destroy(row, row.sealed);
      }
      marker = page.at(-1)?.id;
    }
  }

  private async destroy(row: ZoneKeyEntity, reference: string): Promise<void> {
    const { keys, unitOfWork } = this.context;
    if (!(await this.context.read((tx) => keys.isUsedElsewhere(tx, row)))) await this.token.destroyKey(reference);
    await unitOfWork.run((tx) => keys.seal(tx, { ...row, sealed: null, sealedWith: null }), { queue: 'cleanups' });
  }
}
