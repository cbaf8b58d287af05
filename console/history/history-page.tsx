import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { usePlans } from '../changes/plan-provider.js';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { useOpening } from '../frame/use-opening.js';
import { useParameter } from '../frame/use-query-text.js';
import { Empty } from '../parts/empty.js';
import type { MenuAction } from '../parts/more-menu.js';
import { ShownText } from '../parts/shown-text.js';
import { useExport } from '../records/use-export.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { changesOf, type PastChange, pastChange, sizeOf } from './changes-of.js';
import { CompareDialog } from './compare-dialog.js';
import { Feed, useLookBack } from './feed.js';
import type { FeedChange } from './changes-of.js';
import { type HistoryFilter, useChanges, useMatchingHistory } from './use-history.js';

interface Wanted {
  /** The change named in the URL. */
  readonly wanted?: string | null;
}

/** The changes of the zone, each with its differences, undo, restore and export. */
export function HistoryPage({ wanted = null }: Wanted) {
  const { zone } = useOpenZone();
  useTitle(`${words.history.heading} – ${zone.name}`);
  const [name] = useParameter('name');
  const [type] = useParameter('type');
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="visually-hidden">
        {words.history.heading}
      </h2>
      <CompareDialog />
      {name === '' && type === '' ? <AllChanges wanted={wanted} /> : <MatchingChanges name={name} type={type} />}
    </section>
  );
}

function AllChanges({ wanted = null }: Wanted) {
  const { zone } = useOpenZone();
  const query = useChanges(zone.id);
  const changes = query.data?.pages.flatMap((page) => page.changes.map(pastChange));
  return <ZoneFeed query={query} changes={changes} wanted={wanted} />;
}

function MatchingChanges({ name, type }: HistoryFilter) {
  const { zone } = useOpenZone();
  const [, setQuery] = useSearchParams();
  const query = useMatchingHistory(zone.id, { name, type });
  const entries = query.data?.pages.flatMap((page) => page.history);
  return (
    <>
      <p className="tools">
        <span>
          {words.history.filtered} <ShownText text={`${name} ${type}`.trim()} />
        </span>
        <button type="button" onClick={() => setQuery({})}>
          {words.history.allChanges}
        </button>
      </p>
      <ZoneFeed query={query} changes={entries && changesOf(entries)} />
    </>
  );
}

interface FeedProps extends Wanted {
  readonly query: Parameters<typeof Feed>[0]['query'];
  readonly changes: readonly PastChange[] | undefined;
}

function ZoneFeed({ query, changes, wanted = null }: FeedProps) {
  const { zone, secondary } = useOpenZone();
  const may = usePermitted();
  const plan = usePlanInAddress(query, changes, wanted);
  const compare = useOpening('from', 'to');
  const save = useExport();
  const actionsOf = ({ change }: FeedChange): readonly MenuAction[] => {
    const { id, serial } = change;
    const size = sizeOf(change);
    const history = words.history;
    return [
      ...(may.undo && size > 0 ? [{ label: history.undo, act: () => plan('undo', id) }] : []),
      ...(may.undo && serial !== zone.serial ? [{ label: history.restore, act: () => plan('restore', id) }] : []),
      { label: history.export, act: () => save(zone, serial) },
    ];
  };
  const { go } = words.states;
  return (
    <Feed
      query={query}
      changes={changes?.map((change) => ({ zone, change }))}
      wanted={wanted}
      actionsOf={actionsOf}
      onCompare={(from, to) => compare.open({ from: String(from.change.serial), to: String(to.change.serial) })}
      empty={
        <Empty
          icon="changes"
          actions={[
            { label: go.records, to: zoneAddress(zone.name, 'records') },
            secondary === null && may.create && { label: go.import, to: zoneAddress(zone.name, 'import') },
          ]}
        >
          {words.history.none}
        </Empty>
      }
    />
  );
}

type PlanKind = 'undo' | 'restore';

/**
 * Shows the plan that the address contains: `plan` of a `change`, which the path can name as well.
 * @returns opens such a plan
 */
function usePlanInAddress(
  query: FeedProps['query'],
  changes: readonly PastChange[] | undefined,
  wanted: string | null,
): (plan: PlanKind, change: string) => void {
  const { values, open, close } = useOpening('plan', 'change');
  const { undo, restore, cancel } = usePlans();
  const status = useStatus();
  const may = usePermitted().undo;
  const { plan } = values;
  const id = values.change || wanted;
  const change = changes?.find((one) => one.id === id);
  const isSought = plan !== '' && changes !== undefined && change === undefined;
  useLookBack(isSought, query);
  const isGone = isSought && !query.hasNextPage;
  useEffect(() => {
    if (!isGone) return;
    status.show({ content: words.history.gone });
    close();
  }, [isGone]);
  useEffect(() => {
    if (change === undefined || plan === '') return undefined;
    if (may && plan === 'undo') undo(change.id, words.applied.undoOf(sizeOf(change), change.serial), close);
    else if (may && plan === 'restore') restore(change.serial, close);
    else close();
    return cancel;
  }, [plan, change?.id, may]);
  return (kind, of) => open({ plan: kind, change: of });
}
