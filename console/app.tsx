import { ownPath, pathOfScreen, PREFIX } from './api/prefix.js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch, useSearchParams } from 'wouter';
import { isUnanswered } from './api/errors.js';
import { LeaveGuard } from './changes/leave-guard.js';
import { Frame } from './frame/frame.js';
import { StatusProvider } from './frame/status.js';
import type { SignInMethods } from './api/types.js';
import { LoadingDialog } from './parts/loading-dialog.js';
import { Skeleton } from './parts/skeleton.js';
import { Trouble } from './parts/trouble.js';
import { actFor } from './session/acting.js';
import { returnPath } from './session/return-path.js';
import { useSession } from './session/session.js';
import { beginSession } from './session/sign-in.js';
import { zoneIn } from './zones/zone-address.js';
import { type Lazy, lazily } from './parts/lazily.js';

/** A page in a file of its own. */
const page = <P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> => lazily(load, <Skeleton rows={8} />);

const NotFound = lazily(() => import('./frame/not-found.js').then((module) => module.NotFound), null);
const AuditPage = page(() => import('./audit/audit-page.js').then((module) => module.AuditPage));
const RecentChangesPage = page(() =>
  import('./history/recent-changes-page.js').then((module) => module.RecentChangesPage),
);
const NameServersPage = page(() =>
  import('./name-servers/name-servers-page.js').then((module) => module.NameServersPage),
);
const QuotasPage = page(() => import('./quotas/quotas-page.js').then((module) => module.QuotasPage));
const SearchPage = page(() => import('./search/search-page.js').then((module) => module.SearchPage));
const SignInDialog = lazily(
  () => import('./session/sign-in-dialog.js').then((module) => module.SignInDialog),
  <LoadingDialog />,
);
const SignInPage = lazily(() => import('./session/sign-in-page.js').then((module) => module.SignInPage));
const TokensPage = page(() => import('./tokens/tokens-page.js').then((module) => module.TokensPage));
const TemplatesPage = page(() => import('./templates/templates-page.js').then((module) => module.TemplatesPage));
const WebhookPage = page(() => import('./webhooks/webhook-page.js').then((module) => module.WebhookPage));
const WebhooksPage = page(() => import('./webhooks/webhooks-page.js').then((module) => module.WebhooksPage));
const DeletedZonesPage = page(() => import('./zones/deleted-zones-page.js').then((module) => module.DeletedZonesPage));
const ZoneScreen = page(() => import('./zones/zone-screen.js').then((module) => module.ZoneScreen));
const ZonesPage = page(() => import('./zones/zones-page.js').then((module) => module.ZonesPage));

const MoveInPage = page(() => import('./move-in/move-in-page.js').then((module) => module.default));

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
          <LeaveGuard />
        </StatusProvider>
      </Router>
    </QueryClientProvider>
  );
}

/** Retries every two seconds without a response, while a component uses the query. */
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
    // Drops the data of one user before the next one uses this tab.
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
            {({ '*': page }) => <ZoneScreen name={zoneIn(ownPath())} page={page ?? ''} />}
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
          <Route path="/move-in/:domain?/:step?">
            {({ domain, step }) => (
              <MoveInPage domain={domain === undefined ? null : zoneIn(ownPath())} step={step ?? ''} />
            )}
          </Route>
          <Route path="/name-servers">
            <NameServersPage />
          </Route>
          <Route path="/deleted-zones">
            <DeletedZonesPage />
          </Route>
          <Route path="/templates">
            <TemplatesPage />
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

/** Redirects a signed-in user. */
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
