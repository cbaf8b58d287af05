import type { ComponentType } from 'react';
import { Link, Redirect } from 'wouter';
import { isGone } from '../api/errors.js';
import { type SeenZone, useWhoami, useZone } from '../api/queries.js';
import { PlanProvider } from '../changes/plan-provider.js';
import { useRecentZone } from '../frame/recent-zones.js';
import { Empty } from '../parts/empty.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';
import { SecondaryNotice } from './secondary-notice.js';
import { ZoneHeader } from './zone-header.js';
import { ZoneNews } from './zone-news.js';
import { type OpenZone, useOpenZone, ZoneProvider } from './zone-context.js';
import { type Lazy, lazily } from '../parts/lazily.js';

/** A page of a zone in a file of its own. */
const part = <P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> => lazily(load, <Skeleton rows={12} />);

const DnssecPage = part(() => import('../dnssec/dnssec-page.js').then((module) => module.DnssecPage));
const HealthPage = part(() => import('../health/health-page.js').then((module) => module.HealthPage));
const HistoryPage = part(() => import('../history/history-page.js').then((module) => module.HistoryPage));
const ImportPage = part(() => import('../import/import-page.js').then((module) => module.ImportPage));
const NoPage = part(() => import('./no-page.js').then((module) => module.NoPage));
const RecordPage = part(() => import('../record/record-page.js').then((module) => module.RecordPage));
const RecordsPage = part(() => import('../records/records-page.js').then((module) => module.RecordsPage));
const SettingsPage = part(() => import('../settings/settings-page.js').then((module) => module.SettingsPage));

interface Props {
  readonly name: string;
  /** The URL segment after the zone. */
  readonly page: string;
}

const PAGES = {
  records: RecordsPage,
  import: ImportPage,
  history: HistoryPage,
  health: HealthPage,
  dnssec: DnssecPage,
  settings: SettingsPage,
} as const;
type PageName = keyof typeof PAGES;

/** Import is an action of the records. */
const TABS = ['records', 'history', 'health', 'dnssec', 'settings'] as const;

/** Former addresses, each with the page that has its content. */
const FORMER: Readonly<Record<string, PageName>> = { publication: 'health', check: 'health' };

/** One zone: its name, its pages, and the changes that are gathered for it. */
export function ZoneScreen({ name, page }: Props) {
  const { data, error, failureReason, refetch } = useZone(name);
  const { data: whoami } = useWhoami();
  const trouble = error ?? failureReason;
  const isMissing = isGone(trouble);
  useRecentZone(data?.zone.name, isMissing ? name : null);
  const moved = page === '' ? 'records' : Object.hasOwn(FORMER, page) ? FORMER[page] : undefined;
  if (moved !== undefined) return <Redirect to={zoneAddress(name, moved)} replace />;
  return (
    <>
      {(data === undefined || whoami === undefined || isMissing) && (
        <h1>
          <ShownText text={name} />
        </h1>
      )}
      {isMissing && (
        <Empty
          icon="zones"
          actions={[
            { label: words.states.go.zones, to: '/zones' },
            {
              label: words.states.go.search,
              to: `/search?${new URLSearchParams({ q: name.slice(0, 255) }).toString()}`,
            },
          ]}
        >
          <ShownText text={words.zone.notFound(name)} />
        </Empty>
      )}
      {trouble !== null && !isMissing && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={12} columns={[3, 1, 1, 5, 2]} />}
      {data !== undefined && whoami !== undefined && !isMissing && (
        <ZoneProvider value={openZone(data, whoami.tenant_id)} key={data.zone.id}>
          <PlanProvider>
            <ZoneHeader />
            <ZoneNavigation zone={data.zone.name} page={page} />
            <ZoneNews />
            {(page === 'records' || page === 'health') && <SecondaryNotice />}
            <OpenPage page={page} />
          </PlanProvider>
        </ZoneProvider>
      )}
    </>
  );
}

function OpenPage({ page }: { readonly page: string }) {
  const [, id] = /^records\/([^/]+)$/.exec(page) ?? [];
  if (id !== undefined) return <RecordPage key={id} id={id} />;
  const [, change] = /^history\/([^/]+)$/.exec(page) ?? [];
  if (change !== undefined) return <HistoryPage key={change} wanted={change} />;
  const Page = Object.hasOwn(PAGES, page) ? PAGES[page as PageName] : null;
  return Page === null ? <NoPage /> : <Page />;
}

function openZone(seen: SeenZone, tenant: string | null): OpenZone {
  return { ...seen, place: `${tenant ?? ''}/${seen.zone.id}` };
}

function ZoneNavigation({ zone, page }: { readonly zone: string; readonly page: string }) {
  const { secondary } = useOpenZone();
  return (
    <nav aria-label={words.zone.navigation} className="tabs">
      {TABS.filter((name) => name !== 'dnssec' || secondary === null).map((name) => (
        <Link
          key={name}
          href={zoneAddress(zone, name)}
          aria-current={page === name || page.startsWith(`${name}/`) ? 'page' : undefined}
        >
          {words.zone.pages[name]}
        </Link>
      ))}
    </nav>
  );
}
