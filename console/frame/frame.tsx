import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ActingNotice } from '../tenants/acting-notice.js';
import { TenantDialog } from '../tenants/tenant-dialog.js';
import { words } from '../words/index.js';
import { AREAS } from './areas.js';
import { AccountMenu } from './account-menu.js';
import { CommandDialog } from './command-dialog.js';
import { ShortcutsDialog } from './shortcuts-dialog.js';
import { useCommandKey, useShortcuts } from './shortcuts.js';

/** What stands around every page. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  const [choosesTenant, setChoosesTenant] = useState(false);
  const [commands, setCommands] = useState(false);
  const content = useContentFocus(path);
  useCommandKey(() => setCommands(true));
  useShortcuts({
    '?': () => setShowsShortcuts(true),
    'g z': () => navigate('/zones'),
    '/': () => document.querySelector<HTMLElement>('input[type=search]')?.focus(),
  });
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {words.frame.skip}
      </a>
      <header className="bar">
        <span className="product">{words.product}</span>
        <nav aria-label={words.frame.main}>
          {AREAS.map(({ at, name }) => (
            <Link key={at} href={at} aria-current={path.startsWith(at) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <ActingNotice />
        <AccountMenu onShortcuts={() => setShowsShortcuts(true)} onTenant={() => setChoosesTenant(true)} />
      </header>
      <main id="content" tabIndex={-1} ref={content}>
        {children}
      </main>
      {commands && <CommandDialog onClose={() => setCommands(false)} />}
      {choosesTenant && <TenantDialog onClose={() => setChoosesTenant(false)} />}
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
    </div>
  );
}

/** Whoever follows a link goes on where the new page begins. */
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
