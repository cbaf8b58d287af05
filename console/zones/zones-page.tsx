import { useState } from 'react';
import { Link } from 'wouter';
import { useWhoami, useZones } from '../api/queries.js';
import type { ListedZone } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { useParameter, useSearchText } from '../frame/use-query-text.js';
import { Choice } from '../parts/choice.js';
import { Moment } from '../parts/moment.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedTo } from '../session/permitted.js';
import { AcceptDialog } from '../sharing/accept-dialog.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';
import { NewZoneDialog } from './new-zone-dialog.js';

/** All zones of the tenant. */
export function ZonesPage() {
  useTitle(words.zones.heading);
  const search = useSearchText('q');
  const [sort, setSort] = useParameter('sort', 'name');
  const [isMaking, setMaking] = useState(false);
  const [isAccepting, setAccepting] = useState(false);
  return (
    <>
      <div className="heading">
        <h1>{words.zones.heading}</h1>
        <MakeButtons onAccept={() => setAccepting(true)} onNew={() => setMaking(true)} />
      </div>
      <div className="tools">
        <input
          type="search"
          aria-label={words.zones.search}
          placeholder={words.zones.search}
          maxLength={255}
          value={search.typed}
          onChange={({ target }) => search.setTyped(target.value)}
        />
        <Choice label={words.zones.sort} value={sort} options={words.zones.sorts} onChange={setSort} />
      </div>
      <FoundZones q={search.sought} sort={Object.hasOwn(words.zones.sorts, sort) ? sort : 'name'} />
      {isMaking && <NewZoneDialog onClose={() => setMaking(false)} />}
      {isAccepting && <AcceptDialog onClose={() => setAccepting(false)} />}
    </>
  );
}

function MakeButtons({ onAccept, onNew }: { readonly onAccept: () => void; readonly onNew: () => void }) {
  const { data: whoami } = useWhoami();
  return permittedTo(whoami).makeZones ? (
    <>
      <button type="button" onClick={onAccept}>
        {words.transfer.accept}
      </button>
      <button type="button" className="primary" onClick={onNew}>
        {words.zones.new}
      </button>
    </>
  ) : null;
}

interface FoundProps {
  readonly q: string;
  readonly sort: string;
}

function FoundZones({ q, sort }: FoundProps) {
  const { data, error, isPending, refetch, failureReason, hasNextPage, fetchNextPage, isFetchingNextPage } = useZones(
    q,
    sort,
  );
  const zones = data?.pages.flatMap(({ domains }) => domains) ?? [];
  const total = data?.pages[0]?.count?.total ?? zones.length;
  const trouble = error ?? failureReason;
  const { data: whoami } = useWhoami();
  const isAdmin = whoami?.roles.includes('admin') ?? false;
  return (
    <>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {isPending && trouble === null && <Skeleton rows={8} />}
      {data !== undefined && <ZonesTable zones={zones} />}
      {data !== undefined && zones.length === 0 && (
        <p className="empty">
          {q === '' ? words.zones.none : <ShownText text={words.zones.noneFound(q)} />}{' '}
          {q === '' && isAdmin && words.zones.forAdmins}
        </p>
      )}
      {data !== undefined && <p className="total">{words.zones.total(total)}</p>}
      <p className="tools">
        <Link href="/changes">{words.recentChanges.heading}</Link>
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

function ZonesTable({ zones }: { readonly zones: readonly ListedZone[] }) {
  const { columns } = words.zones;
  const { data: whoami } = useWhoami();
  const hasTenants = zones.some(({ tenant_id }) => tenant_id !== undefined);
  // Where no name server is asked, nothing is known about any zone.
  const publishes = whoami?.service.publishes !== false;
  return (
    <table className="list" aria-label={words.zones.heading}>
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
              <Readable name={zone.name} />
            </td>
            <td className="number" data-label={columns.records}>
              {zone.record_count === undefined ? '' : words.common.number(zone.record_count)}
            </td>
            <td className="number" data-label={columns.serial}>
              {zone.serial}
            </td>
            {publishes && (
              <td data-label={columns.publication}>
                {zone.publication !== undefined && (
                  <span className={`badge ${zone.publication}`}>{words.zones.publication[zone.publication]}</span>
                )}
              </td>
            )}
            <td data-label={columns.changed}>{zone.changed_at === undefined ? '' : <Moment at={zone.changed_at} />}</td>
            {hasTenants && (
              <td data-label={columns.tenant}>
                <ShownText text={zone.tenant_id ?? ''} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
