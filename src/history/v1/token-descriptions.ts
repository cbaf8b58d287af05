import { Injectable } from '@nestjs/common';
import { isAdmin } from '../../auth/policy.js';
import { TokenRepository } from '../../auth/tokens/token.repository.js';
import type { Caller } from '../../common/caller.js';
import type { ChangeSummary } from '../change-summaries.js';

@Injectable()
export class TokenDescriptions {
  constructor(private readonly tokens: TokenRepository) {}

  /** Only admins see the descriptions of admin tokens. */
  async of(changes: readonly ChangeSummary[], caller: Caller): Promise<ReadonlyMap<string, string | null>> {
    const descriptions = new Map<string, string | null>();
    for (const id of new Set(changes.map(({ tokenId }) => tokenId))) {
      const token = id === null ? undefined : await this.tokens.find(id);
      if (token !== undefined && (isAdmin(caller) || token.tenantId === caller.tenantId))
        descriptions.set(token.id, token.description);
    }
    return descriptions;
  }
}
