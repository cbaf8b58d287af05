import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import type { NewToken, Token, TokenList } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { NewTokenDialog } from './new-token-dialog.js';
import { RevokeDialog } from './revoke-dialog.js';
import { TokenCreatedDialog } from './token-created-dialog.js';
import { TokensTable } from './tokens-table.js';

interface Props {
  /** Whether the address is that of a new token. */
  readonly isNew: boolean;
}

/** The token that is used and those that were made with it. */
export function TokensPage({ isNew }: Props) {
  useTitle(words.tokens.heading);
  const [query] = useSearchParams();
  const { data: whoami } = useWhoami();
  const { data, error, failureReason, refetch } = useTokens();
  const [isMaking, setMaking] = useState(isNew);
  const [made, setMade] = useState<{ readonly token: NewToken; readonly host: string | null } | null>(null);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const trouble = error ?? failureReason;
  return (
    <>
      <div className="heading">
        <h1>{words.tokens.heading}</h1>
        <button type="button" className="primary" onClick={() => setMaking(true)}>
          {words.tokens.new}
        </button>
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={6} />}
      {data !== undefined && (
        <TokensTable tokens={data.tokens} own={whoami?.token?.id ?? null} onRevoke={setRevoking} />
      )}
      {data?.tokens.length === 0 && <p className="empty">{words.tokens.none}</p>}
      {isMaking && (
        <NewTokenDialog
          preset={query.get('preset')}
          onClose={() => setMaking(false)}
          onMade={(token, host) => {
            setMaking(false);
            setMade({ token, host });
            void refetch();
          }}
        />
      )}
      {made !== null && <TokenCreatedDialog token={made.token.token} host={made.host} onClose={() => setMade(null)} />}
      {revoking !== null && (
        <RevokeDialog
          token={revoking}
          isOwn={revoking.id === whoami?.token?.id}
          onClose={() => setRevoking(null)}
          onRevoked={() => {
            setRevoking(null);
            void refetch();
          }}
        />
      )}
    </>
  );
}

function useTokens() {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await ask<TokenList>('/v1/tokens', { signal })).body,
    staleTime: 0,
    enabled: isSignedIn,
  });
}
