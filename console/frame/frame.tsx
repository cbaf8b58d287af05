import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAllPending } from '../changes/pending-store.js';
import { useActingFor, useActsForAll } from '../session/acting.js';
import { words } from '../words/index.js';
import { AccountMenu } from './account-menu.js';
import { Breadcrumb } from './breadcrumb.js';
import { Icon } from '../parts/icon.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { lazily, usePreloaded } from '../parts/lazily.js';
import { LoadingDialog } from '../parts/loading-dialog.js';
import { MenuButton } from '../parts/menu-button.js';
import { HelpMenu } from './help-menu.js';
import { Rail } from './rail.js';
import { useCommandKey, useShortcuts } from './shortcuts.js';
import { useSignOut } from './use-sign-out.js';

const CommandDialog = lazily(
  () => import('./command-dialog.js').then((module) => module.CommandDialog),
  <LoadingDialog />,
);
const ShortcutsDialog = lazily(
  () => import('./shortcuts-dialog.js').then((module) => module.ShortcutsDialog),
  <LoadingDialog />,
);
const TenantDialog = lazily(
  () => import('../tenants/tenant-dialog.js').then((module) => module.TenantDialog),
  <LoadingDialog />,
);
const PendingTray = lazily(() => import('../changes/pending-tray.js').then((module) => module.PendingTray), null);
const ActingNotice = lazily(() => import('../tenants/acting-notice.js').then((module) => module.ActingNotice), null);
const SOON = [DialogFrame, MenuButton, CommandDialog];

/** The frame of every page. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  const [choosesTenant, setChoosesTenant] = useState(false);
  const [commands, setCommands] = useState(false);
  const content = useContentFocus(path);
  const actsForTenant = useActingFor() !== null;
  const actsForAll = useActsForAll();
  const hasPending = useAllPending().length > 0;
  const leaving = useSignOut();
  usePreloaded(SOON);
  const actions = {
    onShortcuts: () => setShowsShortcuts(true),
    onTenant: () => setChoosesTenant(true),
    onSignOut: leaving.begin,
  };
  useCommandKey(() => setCommands(true));
  useShortcuts({
    '?': () => setShowsShortcuts(true),
    'g z': () => navigate('/zones'),
    '/': () => {
      const search = document.querySelector<HTMLElement>('input[type=search]');
      if (search === null) setCommands(true);
      else search.focus();
    },
  });
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {words.frame.skip}
      </a>
      <Rail onTenant={actions.onTenant} />
      <header className="bar">
        <Breadcrumb />
        <button type="button" className="jump" onClick={() => setCommands(true)}>
          <Icon name="search" />
          <span>{words.frame.jump}</span>
          <kbd aria-hidden="true">{words.frame.jumpKey}</kbd>
        </button>
        {(actsForTenant || actsForAll) && <ActingNotice />}
        <HelpMenu onShortcuts={actions.onShortcuts} />
        <AccountMenu {...actions} />
      </header>
      <main id="content" tabIndex={-1} ref={content}>
        {children}
      </main>
      {hasPending && <PendingTray />}
      {commands && <CommandDialog {...actions} onClose={() => setCommands(false)} />}
      {choosesTenant && <TenantDialog onClose={() => setChoosesTenant(false)} />}
      {leaving.dialog}
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
    </div>
  );
}

/** Moves the focus to the new page after navigation. */
function useContentFocus(path: string) {
  const content = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);
  return content;
}
