import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useWhoami, useZones, type ZoneFilter } from '../api/queries.js';
import type { ListedZone } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { useOpening } from '../frame/use-opening.js';
import { useParameter, useSearchText } from '../frame/use-query-text.js';
import { Choice } from '../parts/choice.js';
import { Empty } from '../parts/empty.js';
import { ZoneLabels } from '../parts/labels.js';
import { MoreMenu } from '../parts/more-menu.js';
import { Moment } from '../parts/moment.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsPhone } from '../records/use-row-height.js';
import { useActsForAll, useActsForSelf } from '../session/acting.js';
import { permittedTo } from '../session/permitted.js';
import { MovesInProgress } from '../move-in/moves-in-progress.js';
import { useActing } from '../tenants/use-acting.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';
import { LabelFilter } from './label-filter.js';
import { PublicationFilter } from './publication-filter.js';
import { lazily } from '../parts/lazily.js';
import { LoadingDialog } from '../parts/loading-dialog.js';
import './zones-page.css';

const AcceptDialog = lazily(
  () => import('../sharing/accept-dialog.js').then((module) => module.AcceptDialog),
  <LoadingDialog />,
);
const NoZones = lazily(() => import('./no-zones.js').then((module) => module.NoZones));
const SavedFilters = lazily(() => import('./saved-filters.js').then((module) => module.SavedFilters));
const NewZoneDialog = lazily(
  () => import('./new-zone-dialog.js').then((module) => module.NewZoneDialog),
  <LoadingDialog />,
);

/** All zones of the tenant. */
export function ZonesPage() {
  useTitle(words.zones.heading);
  const search = useSearchText('q');
  const [sort, setSort] = useParameter('sort', 'name');
  const [publication] = useParameter('publication');
  const [behind] = useParameter('behind');
  const [query, setQuery] = useSearchParams();
  const labels = query.getAll('label');
  const { values, open, close } = useOpening('dialog');
  const mayMake = useMayMake();
  return (
    <>
      <div className="heading">
        <h1>{words.zones.heading}</h1>
        <Actions mayMake={mayMake} onAccept={() => open({ dialog: 'accept' })} onNew={() => open({ dialog: 'new' })} />
      </div>
      <MovesInProgress />
      <div className="tools zones-tools">
        <input
          type="search"
          aria-label={words.zones.search}
          placeholder={words.zones.search}
          maxLength={255}
          value={search.typed}
          onChange={({ target }) => search.setTyped(target.value)}
        />
        <Choice label={words.zones.sort} value={sort} options={words.zones.sorts} onChange={setSort} />
        <PublicationFilter />
        <LabelFilter />
        <SavedFilters />
      </div>
      <FoundZones
        q={search.sought}
        sort={Object.hasOwn(words.zones.sorts, sort) ? sort : 'name'}
        onClear={() => setQuery((before) => [...before].filter(([key]) => key === 'sort'))}
        onNew={() => open({ dialog: 'new' })}
        filter={{ publication: Object.hasOwn(words.zones.publication, publication) ? publication : '', behind, labels }}
      />
      {mayMake && values.dialog === 'new' && <NewZoneDialog onClose={close} />}
      {mayMake && values.dialog === 'accept' && <AcceptDialog onClose={close} />}
    </>
  );
}

/** A new zone belongs to one tenant. */
function useMayMake(): boolean {
  const { data: whoami } = useWhoami();
  const isForAll = useActsForAll();
  return permittedTo(whoami).makeZones && !isForAll;
}

interface ActionsProps {
  readonly mayMake: boolean;
  readonly onAccept: () => void;
  readonly onNew: () => void;
}

/** Seldom needed actions are in a menu, so that phones have one row too. */
function Actions({ mayMake, onAccept, onNew }: ActionsProps) {
  const { data: whoami } = useWhoami();
  const isForSelf = useActsForSelf();
  const { seeAll } = useActing();
  const [, navigate] = useLocation();
  const isPhone = useIsPhone();
  const maySeeAll = isForSelf && whoami?.roles.includes('admin') === true;
  const more = [
    ...(mayMake && isPhone ? [{ label: words.moves.heading, act: () => navigate('/move-in') }] : []),
    ...(mayMake ? [{ label: words.transfer.accept, act: onAccept }] : []),
    ...(maySeeAll ? [{ label: words.tenants.seeAll, act: seeAll }] : []),
  ];
  return (
    <>
      {more.length > 0 && <MoreMenu className="more-actions" label={words.records.actions} actions={more} />}
      {mayMake && !isPhone && (
        <Link href="/move-in" className="button">
          {words.moves.heading}
        </Link>
      )}
      {mayMake && (
        <button type="button" className="primary" onClick={onNew}>
          {words.zones.new}
        </button>
      )}
    </>
  );
}

interface FoundProps {
  readonly q: string;
  readonly sort: string;
  readonly filter: ZoneFilter;
  /** Clears the search and the filters. */
  readonly onClear: () => void;
  readonly onNew: () => void;
}

function FoundZones({ q, sort, filter, onClear, onNew }: FoundProps) {
  const { data, error, isPending, isPlaceholderData, refetch, failureReason, ...more } = useZones(q, sort, filter);
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = more;
  const search = JSON.stringify([q, filter]);
  const [counted, setCounted] = useState(search);
  if (!isPlaceholderData && data !== undefined && counted !== search) setCounted(search);
  const zones = data?.pages.flatMap(({ domains }) => domains) ?? [];
  const total = data?.pages[0]?.count?.total ?? zones.length;
  const isExact = data?.pages[0]?.count?.total_is_exact !== false;
  const trouble = error ?? failureReason;
  return (
    <>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {isPending && trouble === null && <Skeleton rows={8} columns={[4, 1, 1, 1, 2]} />}
      {zones.length > 0 && <ZonesTable zones={zones} />}
      {data !== undefined && zones.length === 0 && (
        <NothingFound q={q} filter={filter} onClear={onClear} onNew={onNew} />
      )}
      <p className="zones-foot">
        <span aria-live="polite" className={zones.length > 0 ? '' : 'visually-hidden'}>
          {data !== undefined && (
            <span key={counted}>{isExact ? words.zones.total(total) : words.zones.moreThan(total)}</span>
          )}
        </span>
        <Link href="/templates">{words.areas.templates}</Link>
        <Link href="/deleted-zones">{words.deleted.link}</Link>
      </p>
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.zones.more}
        </button>
      )}
    </>
  );
}

function NothingFound({ q, filter, onClear, onNew }: Omit<FoundProps, 'sort'>) {
  const { go } = words.states;
  if (q !== '')
    return (
      <Empty
        icon="search"
        actions={[
          { label: go.clearSearch, to: onClear },
          { label: go.search, to: `/search?${new URLSearchParams({ q }).toString()}` },
        ]}
      >
        <ShownText text={words.zones.noneFound(q)} />
      </Empty>
    );
  if (filter.labels.length > 0)
    return (
      <Empty icon="search" actions={[{ label: go.clearFilters, to: onClear }]}>
        {words.zones.noneLabeled}
      </Empty>
    );
  if (filter.publication !== '' || filter.behind !== '')
    return (
      <Empty
        icon="good"
        actions={[
          { label: go.clearFilters, to: onClear },
          { label: go.nameServers, to: '/name-servers' },
        ]}
      >
        {words.nameServers.noZones}
      </Empty>
    );
  return <NoZones onNew={onNew} />;
}

function ZonesTable({ zones }: { readonly zones: readonly ListedZone[] }) {
  const { columns } = words.zones;
  const { data: whoami } = useWhoami();
  const isForAll = useActsForAll();
  // In the list of one tenant, its name says something only next to the zones of others.
  const hasTenants =
    isForAll || zones.some(({ tenant_id: tenant }) => tenant !== undefined && tenant !== whoami?.tenant_id);
  // Without name servers, publication is unknown for every zone.
  const publishes = whoami?.service.publishes !== false;
  return (
    <table className="list zones" aria-label={words.zones.heading}>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col" className="number">
            {columns.records}
          </th>
          <th scope="col" className="number">
            {columns.serial}
          </th>
          {publishes && <th scope="col">{columns.publication}</th>}
          <th scope="col">{columns.changed}</th>
          {hasTenants && <th scope="col">{columns.tenant}</th>}
        </tr>
      </thead>
      <tbody>
        {zones.map((zone) => (
          <tr key={zone.id}>
            <td>
              <Link href={zoneAddress(zone.name, 'records')}>
                <ShownText text={zone.name} />
              </Link>
              <Readable name={zone.name} /> <ZoneLabels labels={zone.labels} />
              {zone.secondary !== undefined && <span className="badge">{words.secondary.badge}</span>}
            </td>
            <td className="number" data-label={columns.records}>
              {zone.record_count === undefined ? '' : words.common.number(zone.record_count)}
            </td>
            <td className="number serial" data-label={columns.serial}>
              {zone.serial}
            </td>
            {publishes && (
              <td data-label={columns.publication}>
                {zone.publication !== undefined && (
                  <Link
                    href={zoneAddress(zone.name, 'health')}
                    className={`publication ${zone.publication}`}
                    aria-label={words.nameServers.publicationOf(words.zones.publication[zone.publication], zone.name)}
                  >
                    {words.zones.publication[zone.publication]}
                  </Link>
                )}
              </td>
            )}
            <td data-label={columns.changed}>{zone.changed_at === undefined ? '' : <Moment at={zone.changed_at} />}</td>
            {hasTenants && (
              <td data-label={columns.tenant}>
                <Owner tenant={zone.tenant_id ?? ''} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** In the view of all tenants, leads to the zones of one of them. */
function Owner({ tenant }: { readonly tenant: string }) {
  const isForAll = useActsForAll();
  const { actAs } = useActing();
  if (!isForAll) return <ShownText text={tenant} />;
  return (
    <button type="button" className="quiet" aria-label={words.tenants.actAs(tenant)} onClick={() => actAs(tenant)}>
      <ShownText text={tenant} longest={100} />
    </button>
  );
}
