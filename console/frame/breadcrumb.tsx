import { Link, useLocation } from 'wouter';
import { ownPath } from '../api/prefix.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress, zoneIn } from '../zones/zone-address.js';
import { AREAS, FURTHER_AREAS } from './areas.js';

interface Crumb {
  readonly name: string;
  /** `null`: the page itself. */
  readonly at: string | null;
}

/** The path to the open page. */
export function Breadcrumb() {
  const [path] = useLocation();
  const trail = trailOf(path, ownPath());
  return (
    <nav className="crumbs" aria-label={words.frame.breadcrumb}>
      <ol>
        {trail.map(({ name, at }) => (
          <li key={name}>
            {at === null ? (
              <span aria-current="page">
                <ShownText text={name} longest={100} />
              </span>
            ) : (
              <Link href={at}>
                <ShownText text={name} longest={100} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** @param encoded the address as the browser has it: the router decodes slashes in names */
function trailOf(path: string, encoded: string): readonly Crumb[] {
  const zones = { name: words.zones.heading, at: '/zones' };
  if (path.startsWith('/zones/')) {
    const zone = zoneIn(encoded);
    const [, , , , page = ''] = encoded.split('/');
    const { pages } = words.zone;
    const name = Object.hasOwn(pages, page) ? pages[page as keyof typeof pages] : null;
    return name === null
      ? [zones, { name: zone, at: null }]
      : [zones, { name: zone, at: zoneAddress(zone, 'records') }, { name, at: null }];
  }
  const area = [...AREAS, ...FURTHER_AREAS].find(({ at }) => path.startsWith(at));
  if (area === undefined) return [{ name: words.product, at: '/zones' }];
  const isBelow = path !== area.at && (area.at === '/webhooks' || area.at === '/move-in');
  const here = { name: area.name, at: isBelow ? area.at : null };
  return area.at === '/deleted-zones' || area.at === '/templates' ? [zones, here] : [here];
}
