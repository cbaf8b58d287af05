import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { Message } from '../../dns/message/message.js';
import type { TsigKey, TsigKeys } from '../../dns/message/tsig/tsig-key.js';
import type { Client } from './client.js';

/** Who may update zones over DNS, and what does it for them (behaviour 20). */
export abstract class UpdateHandler {
  /** Whether UPDATE is served. */
  abstract readonly areTaken: boolean;
  /** The keys that sign beside those of the configuration; nothing is looked up for them. */
  abstract readonly keys: Pick<TsigKeys, 'find'>;

  /** Resolves when the keys are known. */
  abstract start(): Promise<void>;

  /** Whom one of those keys stands for; `null` where it must not be used from that address. */
  abstract callerOf(key: TsigKey, client: Client): Caller | null;

  /**
   * Whether the key of a caller is good still, which its signature alone does not say.
   * @throws ServiceError `unavailable`
   */
  abstract isGood(caller: Caller): Promise<boolean>;

  /** Carries out an UPDATE with a good signature. @returns the RCODE that answers it */
  abstract handle(request: Message, caller: Caller): Promise<number>;
}

/** Without dynamic update nobody has such a key. */
@Injectable()
export class NoUpdateHandler extends UpdateHandler {
  override readonly areTaken = false;
  override readonly keys = { find: () => undefined };

  override start(): Promise<void> {
    return Promise.resolve();
  }

  override callerOf(): null {
    return null;
  }

  override isGood(): Promise<boolean> {
    return Promise.resolve(false);
  }

  override handle(): Promise<number> {
    return Promise.reject(new Error('UPDATE is not served'));
  }
}
