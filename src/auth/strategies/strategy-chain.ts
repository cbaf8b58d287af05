import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Authenticator, type Identity } from '../authenticator.js';
import { LONGEST_TOKEN, tokenOf } from '../tokens/token-header.js';
import { Strategies } from './strategies.js';

/**
 * Authenticates by several strategies: the first to recognise a token by its form judges it, and no other is asked
 * (behaviour 14.3).
 */
@Injectable()
export class StrategyChain extends Authenticator {
  constructor(private readonly strategies: Strategies) {
    super();
  }

  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, LONGEST_TOKEN);
    const strategy = token === null ? undefined : this.strategies.all.find((each) => each.recognises(token));
    return (await strategy?.identify(headers)) ?? null;
  }

  override recordUse(identity: Identity, address: string): void {
    for (const strategy of this.strategies.all) strategy.recordUse?.(identity, address);
  }
}
