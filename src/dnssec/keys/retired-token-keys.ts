import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { IN_TOKEN, KeyToken } from '../../dns/dnssec/key-token.js';
import { SigningContext } from '../signing-context.js';
import type { ZoneKeyEntity } from './zone-key.entity.js';

/** A backup of that age can be restored. */
const KEPT = 30 * DAY;
const PAGE_SIZE = 500;
/** Of one run; the next one has the others. */
const MOST_KEYS = 1000;

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
    const isOver = ({ retiredAt }: ZoneKeyEntity): boolean => retiredAt !== null && retiredAt < before;
    const over: ZoneKeyEntity[] = [];
    for await (const row of this.rows()) if (isOver(row) && over.push(row) === MOST_KEYS) break;
    if (over.length === 0) return;
    // A re-created domain has the key of the deleted one, and former signers share one key among domains.
    const unused = new Set(over.map(({ sealed }) => sealed));
    for await (const row of this.rows()) if (!isOver(row)) unused.delete(row.sealed);
    for (const row of over) {
      if (signal.aborted) return;
      if (row.sealed !== null && unused.has(row.sealed)) await this.token.destroyKey(row.sealed);
      unused.delete(row.sealed);
      await this.forget(row);
    }
  }

  /** All rows with a key in the token. */
  private async *rows(): AsyncGenerator<ZoneKeyEntity> {
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const after: string = marker;
      const page = await this.context.read((tx) => this.context.keys.page(tx, after, PAGE_SIZE));
      yield* page.filter(({ sealedWith }) => sealedWith === IN_TOKEN);
      marker = page.at(-1)?.id;
    }
  }

  private forget(row: ZoneKeyEntity): Promise<void> {
    const { keys, unitOfWork } = this.context;
    return unitOfWork.run((tx) => keys.seal(tx, { ...row, sealed: null, sealedWith: null }), { queue: 'cleanups' });
  }
}
