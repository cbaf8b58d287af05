import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { Message } from '../../dns/message/message.js';
import type { TsigKey, TsigKeys } from '../../dns/message/tsig/tsig-key.js';
import type { Client } from './response-builder.js';

/** Port for DNS UPDATE: keys, permissions and execution (behaviour 20). */
export abstract class UpdateHandler {
  abstract readonly areTaken: boolean;
  /** Update keys in addition to the configured keys; the lookup is synchronous. */
  abstract readonly keys: Pick<TsigKeys, 'find'>;

  abstract start(): Promise<void>;

  /** Returns the owner of an update key; `null` if the key must not be used from that address. */
  abstract callerOf(key: TsigKey, client: Client): Caller | null;

  /** Whether the key of a caller is still valid. */
  abstract isGood(caller: Caller): Promise<boolean>;

  /** Executes an UPDATE with a valid signature, and returns the RCODE. */
  abstract handle(request: Message, caller: Caller): Promise<number>;
}

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
