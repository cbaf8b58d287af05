import { pathOfScreen, PREFIX } from './api/prefix.js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch, useSearchParams } from 'wouter';
import { isUnanswered } from './api/errors.js';
import { AuditPage } from './audit/audit-page.js';
import { Frame } from './frame/frame.js';
import { NotFound } from './frame/not-found.js';
import { StatusProvider } from './frame/status.js';
import type { SignInMethods } from './api/types.js';
import { RecentChangesPage } from './history/recent-changes-page.js';
import { Trouble } from './parts/trouble.js';
import { QuotasPage } from './quotas/quotas-page.js';
import { SearchPage } from './search/search-page.js';
import { actFor } from './session/acting.js';
import { returnPath } from './session/return-path.js';
import { useSession } from './session/session.js';
import { beginSession } from './session/sign-in.js';
import { SignInDialog } from './session/sign-in-dialog.js';
import { SignInPage } from './session/sign-in-page.js';
import { TokensPage } from './tokens/tokens-page.js';
import { WebhookPage } from './webhooks/webhook-page.js';
import { WebhooksPage } from './webhooks/webhooks-page.js';
import { DeletedZonesPage } from './zones/deleted-zones-page.js';
import { zoneIn } from './zones/zone-address.js';
import { ZoneScreen } from './zones/zone-screen.js';
import { ZonesPage } from './zones/zones-page.js';

export function App() {
  const [queries] = useState(newQueryClient);
  const forget = useCallback(() => {
    queries.clear();
    actFor(null);
  }, [queries]);
  return (
    <QueryClientProvider client={queries}>
      <Router base={`${PREFIX}/console`}>
        <StatusProvider>
          <Screens forget={forget} />
        </StatusProvider>
      </Router>
    </QueryClientProvider>
  );
}

/** Without an answer the same is asked again every two seconds, as long as somebody looks at it. */
function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (_count, error) => isUnanswered(error),
        retryDelay: (_count, error) => (isUnanswered(error) ? error.retryAfter * 1000 : 2000),
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function Screens({ forget }: { readonly forget: () => void }) {
  const session = useSession();
  const isOver = session.step === 'signed out' && !session.hasEnded;
  useEffect(() => void beginSession(), []);
  useEffect(() => {
    // What one person has seen is not for the next one at this tab.
    if (isOver) forget();
  }, [isOver, forget]);
  if (session.step === 'asking') return session.fault === null ? null : <Trouble error={new Error(session.fault)} />;
  if (session.step === 'signed out' && !session.hasEnded) return <SignedOut ways={session.ways} />;
  return (
    <>
      <Frame>
        <Switch>
          <Route path="/zones">
            <ZonesPage />
          </Route>
          <Route path="/zones/:zone/*?">
            {({ '*': page }) => (
              <ZoneScreen name={zoneIn(window.location.pathname.slice(PREFIX.length))} page={page ?? ''} />
            )}
          </Route>
          <Route path="/search">
            <SearchPage />
          </Route>
          <Route path="/quotas">
            <QuotasPage />
          </Route>
          <Route path="/audit">
            <AuditPage />
          </Route>
          <Route path="/changes">
            <RecentChangesPage />
          </Route>
          <Route path="/deleted-zones">
            <DeletedZonesPage />
          </Route>
          <Route path="/tokens/:new?">{({ new: made }) => <TokensPage isNew={made === 'new'} />}</Route>
          <Route path="/webhooks">
            <WebhooksPage />
          </Route>
          <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
          <Route path="/">
            <Redirect to="/zones" replace />
          </Route>
          <Route path="/sign-in">
            <ToReturnPath />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Frame>
      {session.step === 'signed out' && <SignInDialog ways={session.ways} />}
    </>
  );
}

/** Who has a session need not sign in. */
function ToReturnPath() {
  const [query] = useSearchParams();
  return <Redirect to={returnPath(query.get('return'))} replace />;
}

/** Every address leads to the sign-in first, and is where it leads back to. */
function SignedOut({ ways }: { readonly ways: SignInMethods }) {
  return (
    <Switch>
      <Route path="/sign-in">
        <SignInPage ways={ways} />
      </Route>
      <Route>
        <ToSignIn />
      </Route>
    </Switch>
  );
}

function ToSignIn() {
  const here = pathOfScreen().slice('/console'.length);
  const isSomewhere = here !== '' && here !== '/';
  return <Redirect to={isSomewhere ? `/sign-in?return=${encodeURIComponent(here)}` : '/sign-in'} replace />;
}
