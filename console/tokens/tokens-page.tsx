import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import type { Token, TokenList, UpdateKey, UpdateKeyList, Whoami } from '../api/types.js';
import { useOpening } from '../frame/use-opening.js';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { isLimited } from './clients.js';
import type { Made } from './create-access.js';
import { NewAccessDialog } from './new-access-dialog.js';
import { type Revocable, RevokeDialog } from './revoke-dialog.js';
import { SetupDialog } from './setup-dialog.js';
import { endOf, nameOf, TokensTable } from './tokens-table.js';
import { UpdateKeysTable } from './update-keys-table.js';

interface Props {
  /** Whether the address is the former one of a new token. */
  readonly isNew: boolean;
}

export function TokensPage({ isNew }: Props) {
  const [query] = useSearchParams();
  if (!isNew) return <TokensAndKeys />;
  return <Redirect to={`/tokens?${new URLSearchParams([['dialog', 'new'], ...query]).toString()}`} replace />;
}

/** The current token and its descendants, and the update keys of the tenant. */
function TokensAndKeys() {
  useTitle(words.tokens.heading);
  const { values, open, close } = useOpening('dialog', 'client', 'preset', 'token', 'key');
  const { data: whoami } = useWhoami();
  const tokens = useTokens();
  const keys = useUpdateKeys(whoami);
  const [made, setMade] = useState<Made | null>(null);
  const own = whoami?.token?.id ?? null;
  const token = tokens.data?.find((one) => one.id === values.token && endOf(one) === null);
  const key = keys.data?.find((one) => one.id === values.key && endOf(one) === null);
  const isRevoking = values.dialog === 'revoke';
  const revoking = token ? revocableToken(token, token.id === own) : key ? revocableKey(key) : null;
  const isLoaded = whoami !== undefined && tokens.data !== undefined && (!keys.isEnabled || keys.data !== undefined);
  const isGone = isRevoking && isLoaded && revoking === null;
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);
  const refetch = (): void => {
    void tokens.refetch();
    if (keys.isEnabled) void keys.refetch();
  };
  const makeNew = (): void => open({ dialog: 'new' });
  const actions = [
    { label: words.states.go.newToken, to: makeNew },
    { label: words.states.go.usage, to: '/quotas' },
  ];
  return (
    <>
      <div className="heading">
        <h1>{words.tokens.heading}</h1>
        <button type="button" className="primary" onClick={makeNew}>
          {words.access.new}
        </button>
      </div>
      <h2>{words.access.tokens}</h2>
      <Loading query={tokens} />
      {tokens.data !== undefined && (
        <TokensTable tokens={tokens.data} own={own} onRevoke={({ id }) => open({ dialog: 'revoke', token: id })} />
      )}
      {tokens.data?.length === 0 && (
        <Empty icon="tokens" actions={actions}>
          {words.tokens.none}
        </Empty>
      )}
      {keys.isEnabled && (
        <>
          <h2>{words.access.keys}</h2>
          <Loading query={keys} />
          {keys.data !== undefined && keys.data.length > 0 && (
            <UpdateKeysTable keys={keys.data} onRevoke={({ id }) => open({ dialog: 'revoke', key: id })} />
          )}
          {keys.data?.length === 0 && whoami !== undefined && (
            <Empty icon="tokens" actions={actions}>
              {whoami.service.dns_updates === null ? words.access.keysOff : words.access.noKeys}
            </Empty>
          )}
        </>
      )}
      {values.dialog === 'new' && made === null && (
        <NewAccessDialog
          wanted={values.client || values.preset || null}
          onClose={close}
          onMade={(one) => {
            close();
            setMade(one);
            refetch();
          }}
        />
      )}
      {made !== null && whoami !== undefined && (
        <SetupDialog made={made} service={whoami.service} onClose={() => setMade(null)} />
      )}
      {isRevoking && revoking !== null && (
        <RevokeDialog
          subject={revoking}
          onClose={close}
          onRevoked={() => {
            close();
            refetch();
          }}
        />
      )}
    </>
  );
}

interface LoadingProps {
  readonly query: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly failureReason: Error | null;
    readonly refetch: () => unknown;
  };
}

/** The error or the skeleton of a list. */
function Loading({ query: { data, error, failureReason, refetch } }: LoadingProps) {
  const trouble = error ?? failureReason;
  if (trouble !== null) return <Trouble isRetried error={trouble} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton rows={4} columns={[3, 2, 2, 2, 2, 1]} /> : null;
}

const revocableToken = (token: Token, isOwn: boolean): Revocable => ({
  path: `/v1/tokens/${token.id}`,
  title: words.tokens.revokeTitle,
  question: words.tokens.revokeQuestion(nameOf(token)),
  done: words.tokens.revoked,
  isOwn,
});

const revocableKey = ({ id, name }: UpdateKey): Revocable => ({
  path: `/v1/update-keys/${id}`,
  title: words.access.revokeKey,
  question: words.access.revokeKeyQuestion(name),
  done: words.access.keyRevoked,
  isOwn: false,
});

function useTokens() {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await ask<TokenList>('/v1/tokens', { signal })).body.tokens,
    staleTime: 0,
    enabled: isSignedIn,
  });
}

/** Limited tokens may not list keys. */
function useUpdateKeys(whoami: Whoami | undefined) {
  const isSignedIn = useIsSignedIn();
  const isEnabled = isSignedIn && whoami !== undefined && !isLimited(whoami.limits);
  const query = useQuery({
    queryKey: ['update-keys'],
    queryFn: async ({ signal }) => (await ask<UpdateKeyList>('/v1/update-keys', { signal })).body.update_keys,
    staleTime: 0,
    enabled: isEnabled,
  });
  return { ...query, isEnabled };
}
