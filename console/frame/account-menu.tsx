import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { useWhoami } from '../api/queries.js';
import { forgetAllPending } from '../changes/pending-store.js';
import { actFor } from '../session/acting.js';
import { signOut } from '../session/sign-in.js';
import { words } from '../words/index.js';
import { useStatus } from './status.js';
import { chooseTheme, chosenTheme, type Theme, THEMES } from './theme.js';

interface Props {
  readonly onShortcuts: () => void;
  /** Opens the choice of a tenant to act for. */
  readonly onTenant: () => void;
}

/** Who is signed in, and what that person may set for this browser. */
export function AccountMenu({ onShortcuts, onTenant }: Props) {
  const { data: whoami } = useWhoami();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const status = useStatus();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      forgetAllPending();
      actFor(null);
      status.clear();
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    }
  };
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <MenuTrigger>
      <Button className="account">{words.frame.account(whoami?.user ?? whoami?.tenant_id ?? '')}</Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu">
          <MenuSection
            selectionMode="single"
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const chosen = THEMES.find((one) => keys !== 'all' && keys.has(one));
              if (chosen !== undefined) choose(chosen);
            }}
          >
            <Header>{words.frame.theme.label}</Header>
            {THEMES.map((one) => (
              <MenuItem key={one} id={one}>
                {words.frame.theme[one]}
              </MenuItem>
            ))}
          </MenuSection>
          {whoami?.roles.includes('admin') === true && <MenuItem onAction={onTenant}>{words.tenants.choose}</MenuItem>}
          <MenuItem onAction={onShortcuts}>{words.frame.shortcuts}</MenuItem>
          <MenuItem onAction={() => void leave()}>{words.frame.signOut}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
