import { useLocation } from 'wouter';
import { ownPath } from '../api/prefix.js';
import { useWhoami } from '../api/queries.js';
import { nameOf, useAllPending } from '../changes/pending-store.js';
import { useReview } from '../changes/use-review.js';
import type { IconName } from '../parts/icon.js';
import { useActsForAll } from '../session/acting.js';
import { permittedTo } from '../session/permitted.js';
import { useActing } from '../tenants/use-acting.js';
import { words } from '../words/index.js';
import { zoneAddress, zoneIn } from '../zones/zone-address.js';
import { AREAS, FURTHER_AREAS } from './areas.js';
import { chooseTheme, THEMES } from './theme.js';

export interface Command {
  readonly label: string;
  readonly icon: IconName;
  /** What it is, where the label alone does not say it. */
  readonly kind?: string;
  readonly act: () => void;
}

/** What a page cannot do by itself: the frame has these dialogs. */
export interface FrameActions {
  readonly onShortcuts: () => void;
  readonly onTenant: () => void;
  readonly onSignOut: () => void;
}

/** Opens the form for a new record. */
export const addAddress = (zone: string): string => `${zoneAddress(zone, 'records')}?dialog=add`;

/** Pages and actions of the command dialog that are possible here. */
export function useCommands({ onShortcuts, onTenant, onSignOut }: FrameActions): readonly Command[] {
  const [path, navigate] = useLocation();
  const { data: whoami } = useWhoami();
  const isForAll = useActsForAll();
  const { seeAll } = useActing();
  const { actions } = words.commands;
  const isAdmin = whoami?.roles.includes('admin') === true;
  const page = (label: string, address: string, icon: IconName = 'add'): Command => {
    return { label, icon, act: () => navigate(address) };
  };
  const zone = path.startsWith('/zones/') ? zoneIn(ownPath()) : null;
  const pending = useAllPending();
  const { review } = useReview();
  const may = permittedTo(whoami);
  return [
    ...pending.flatMap((one): Command[] => {
      const { place, origin } = one;
      if (origin === null) return [];
      const label = words.pending.of(words.pending.review, nameOf(one));
      return [{ label, icon: 'done', kind: words.pending.count(one.count), act: () => review(place, origin) }];
    }),
    ...(zone === null || !may.create ? [] : [page(actions.addRecord(zone), addAddress(zone))]),
    ...[...AREAS, ...FURTHER_AREAS].map(({ name, at, icon }) => page(name, at, icon)),
    ...(zone === null
      ? []
      : Object.entries(words.zone.pages).map(([name, label]) =>
          page(actions.inZone(label, zone), zoneAddress(zone, name), 'page'),
        )),
    ...(may.makeZones && !isForAll ? [page(words.zones.new, '/zones?dialog=new')] : []),
    page(words.access.new, '/tokens?dialog=new'),
    ...(isAdmin
      ? [
          { label: words.tenants.choose, icon: 'tenants' as const, act: onTenant },
          { label: words.tenants.seeAll, icon: 'tenants' as const, act: seeAll },
        ]
      : []),
    ...THEMES.map((theme) => {
      return { label: actions.theme(words.frame.theme[theme]), icon: 'theme' as const, act: () => chooseTheme(theme) };
    }),
    { label: words.frame.shortcuts, icon: 'help', act: onShortcuts },
    { label: words.frame.signOut, icon: 'signOut', act: onSignOut },
  ];
}
