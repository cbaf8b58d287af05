import { useState } from 'react';
import { useWhoami } from '../api/queries.js';
import { MenuButton } from '../parts/menu-button.js';
import type { MenuGroup } from '../parts/menu-entry.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { chooseTheme, chosenTheme, type Theme, THEMES } from './theme.js';

interface Props {
  readonly onShortcuts: () => void;
  /** Opens the choice of a tenant to act for. */
  readonly onTenant: () => void;
  readonly onSignOut: () => void;
}

/** The signed-in user, with browser settings. */
export function AccountMenu({ onShortcuts, onTenant, onSignOut }: Props) {
  const { data: whoami } = useWhoami();
  const [, setTheme] = useState<Theme>(chosenTheme);
  // The command dialog changes it too.
  const theme = chosenTheme();
  const tenant = whoami?.tenant_id ?? '';
  const who = whoami?.user ?? whoami?.token?.description ?? tenant;
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  const isAdmin = whoami?.roles.includes('admin') === true;
  const themes: MenuGroup = {
    label: words.frame.theme.label,
    entries: THEMES.map((id) => {
      return { id, label: words.frame.theme[id], isChosen: id === theme, act: () => choose(id) };
    }),
  };
  const person: MenuGroup = {
    label: who,
    detail: words.frame.roles(tenant, whoami?.roles ?? []),
    entries: [
      ...(isAdmin ? [{ id: 'tenant', label: words.tenants.choose, act: onTenant }] : []),
      { id: 'shortcuts', label: words.frame.shortcuts, act: onShortcuts },
    ],
  };
  const end: MenuGroup = { entries: [{ id: 'sign-out', label: words.frame.signOut, act: onSignOut }] };
  return (
    <MenuButton className="account" label={words.frame.account(who)} groups={[person, themes, end]}>
      <span className="avatar" data-initial={[...who].slice(0, 1).join('').toUpperCase()} />
      <span className="who">
        <ShownText text={who} longest={100} />
      </span>
    </MenuButton>
  );
}
