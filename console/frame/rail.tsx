import { Link, useLocation } from 'wouter';
import { words } from '../words/index.js';
import { AREAS, FURTHER_AREAS } from './areas.js';
import { Icon, Logo } from '../parts/icon.js';
import { MenuButton } from '../parts/menu-button.js';
import { TenantSwitcher } from './tenant-switcher.js';

/** Have a place of their own on phones; the others are in a menu there. */
const OF_PHONES = ['/zones', '/search', '/changes'];
const [SEARCH] = FURTHER_AREAS;
const ITEMS = [AREAS[0], SEARCH, ...AREAS.slice(1)];

/** The main navigation: a rail at the side, on phones a bar at the foot. */
export function Rail({ onTenant }: { readonly onTenant: () => void }) {
  const [path, navigate] = useLocation();
  const further = [...AREAS, ...FURTHER_AREAS]
    .filter(({ at }) => !OF_PHONES.includes(at))
    .map(({ at, name }) => {
      return { id: at, label: name, act: () => navigate(at) };
    });
  return (
    <nav className="rail" aria-label={words.frame.main}>
      <p className="product">
        <Logo /> <span className="label">{words.product}</span>
      </p>
      <TenantSwitcher onOpen={onTenant} />
      <ul>
        {ITEMS.map(({ at, name, icon }) => (
          <li
            key={at}
            className={at === SEARCH.at ? 'on-phones' : OF_PHONES.includes(at) ? undefined : 'not-on-phones'}
          >
            <Link href={at} aria-current={path.startsWith(at) ? 'page' : undefined} title={name}>
              <Icon name={icon} />
              <span className="label">{name}</span>
            </Link>
          </li>
        ))}
        <li className="on-phones">
          <MenuButton label={words.frame.more} groups={[{ entries: further }]} placement="top end">
            <Icon name="more" />
            <span className="label">{words.frame.more}</span>
          </MenuButton>
        </li>
      </ul>
    </nav>
  );
}
