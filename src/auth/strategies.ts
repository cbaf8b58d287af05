import { Authenticator, type Identity } from './authenticator.js';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { LONGEST_TOKEN, tokenOf } from './tokens/token-header.js';

/** An authenticator among several: recognizes its tokens by their form. */
export abstract class Strategy extends Authenticator {
  /** Whether the form is that of this strategy. The token may still be invalid. */
  abstract recognises(token: string): boolean;
}

export abstract class Strategies {
  abstract readonly all: readonly Strategy[];
}

/** The first strategy that recognizes the form of a token judges it alone (behaviour 14.3). */
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
