import type { Identity } from './authenticator.js';

/** In characters: what the journal has room for. */
const MAX_TOKEN_ID = 36;
const MAX_USER = 255;

/** What the journal is told of a credential that comes from elsewhere; what is longer than there is room for is left out. */
export function truncateForAudit(tokenId: string | null, user: string | null): Pick<Identity, 'tokenId' | 'user'> {
  return {
    ...(tokenId === null || tokenId.length > MAX_TOKEN_ID ? {} : { tokenId }),
    ...(user === null || user.length > MAX_USER ? {} : { user }),
  };
}
