import { Link, Redirect } from 'wouter';
import { isGone } from '../api/errors.js';
import { useWhoami, useZone } from '../api/queries.js';
import { PendingBar } from '../changes/pending-bar.js';
import { PlanProvider } from '../changes/plan-provider.js';
import { CheckPage } from '../check/check-page.js';
import { DnssecPage } from '../dnssec/dnssec-page.js';
import { HistoryPage } from '../history/history-page.js';
import { ImportPage } from '../import/import-page.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { PublicationPage } from '../publication/publication-page.js';
import { RecordPage } from '../record/record-page.js';
import { RecordsPage } from '../records/records-page.js';
import { SettingsPage } from '../settings/settings-page.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';
import { ZoneNews } from './zone-news.js';
import { type OpenZone, ZoneProvider } from './zone-context.js';

interface Props {
  readonly name: string;
  /** What stands behind the zone in the address. */
  readonly page: string;
}

const PAGES = {
  records: RecordsPage,
  import: ImportPage,
  history: HistoryPage,
  publication: PublicationPage,
  check: CheckPage,
  dnssec: DnssecPage,
  settings: SettingsPage,
} as const;
type PageName = keyof typeof PAGES;

/** One zone: its name, its pages, and the changes that are gathered for it. */
export function ZoneScreen({ name, page }: Props) {
  const { data, error, failureReason, refetch } = useZone(name);
  const { data: whoami } = useWhoami();
  if (page === '') return <Redirect to={zoneAddress(name, 'records')} replace />;
  const trouble = error ?? failureReason;
  const isMissing = isGone(trouble);
  return (
    <>
      <h1>
        <ShownText text={data?.zone.name ?? name} />
      </h1>
      <Readable name={data?.zone.name ?? name} />
      {isMissing && (
        <p className="empty">
          <ShownText text={words.zone.notFound(name)} /> <Link href="/zones">{words.frame.toZones}</Link>
        </p>
      )}
      {trouble !== null && !isMissing && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={12} />}
      {data !== undefined && whoami !== undefined && !isMissing && (
        <ZoneProvider value={openZone(data, whoami.tenant_id)} key={data.zone.id}>
          <PlanProvider>
            <ZoneNews />
            <ZoneNavigation zone={data.zone.name} page={page} />
            <OpenPage page={page} />
            <PendingBar />
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
  return Page === null ? <p className="empty">{words.frame.notFound}</p> : <Page />;
}

function openZone(seen: Pick<OpenZone, 'zone' | 'etag'>, tenant: string | null): OpenZone {
  return { ...seen, place: `${tenant ?? ''}/${seen.zone.id}` };
}

function ZoneNavigation({ zone, page }: { readonly zone: string; readonly page: string }) {
  return (
    <nav aria-label={words.zone.navigation} className="tabs">
      {(Object.keys(PAGES) as PageName[]).map((name) => (
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
