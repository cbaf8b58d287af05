import { PREFIX } from '../api/prefix.js';
import { useWhoami } from '../api/queries.js';
import { Icon } from '../parts/icon.js';
import { MenuButton } from '../parts/menu-button.js';
import { words } from '../words/index.js';

/** The shortcuts, and the documentation that the service has. */
export function HelpMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { data: whoami } = useWhoami();
  const { label, api, openApi } = words.frame.help;
  const pages = [
    { id: 'api', label: api, href: `${PREFIX}/docs` },
    { id: 'openapi', label: openApi, href: `${PREFIX}/openapi.json` },
  ];
  return (
    <MenuButton
      label={label}
      title={label}
      className="help"
      groups={[
        { entries: [{ id: 'shortcuts', label: words.frame.shortcuts, act: onShortcuts }] },
        ...(whoami?.service.docs === true ? [{ entries: pages }] : []),
      ]}
    >
      <Icon name="help" />
    </MenuButton>
  );
}
