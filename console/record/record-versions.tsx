import type { ChangeActor, HistoryEntry, StoredRecord } from '../api/types.js';
import { draftOf, isSame, type RecordDraft, withEntry } from '../changes/pending.js';
import { changePending } from '../changes/pending-store.js';
import { rowsOfDifferences } from '../changes/plan.js';
import { actorOf } from '../changes/plan-requests.js';
import { PlanTable } from '../changes/plan-table.js';
import { actionOf } from '../history/changes-of.js';
import { useChanges, useMatchingHistory } from '../history/use-history.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import type { Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

interface Props {
  readonly record: StoredRecord;
  readonly may: Permitted;
}

/** The versions of the record with their authors. */
export function RecordVersions({ record, may }: Props) {
  const { zone, etag, place } = useOpenZone();
  const query = useMatchingHistory(zone.id, { name: record.name, type: record.type });
  const { data, error, failureReason, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const trouble = error ?? failureReason;
  const actors = useActors(zone.id);
  const versions = (data?.pages ?? [])
    .flatMap(({ history }) => history)
    .filter(({ before, after }) => (after ?? before)?.id === record.id);
  const restore = (version: RecordDraft): void => {
    const update = { action: 'update', key: record.id, before: record, record: version } as const;
    changePending(place, (pending) => withEntry(pending, update, { etag, serial: zone.serial }));
  };
  return (
    <>
      <h3>{words.record.versions}</h3>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      <ul aria-label={words.record.versions} className="history">
        {versions.map((entry) => (
          <Version
            key={entry.number}
            entry={entry}
            actor={actorOf(actors.get(entry.change_id) ?? entry.actor)}
            record={record}
            onRestore={may.update ? restore : undefined}
          />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.history.more}
        </button>
      )}
    </>
  );
}

/** Authors of the latest changes: only the change list has token descriptions. */
function useActors(zoneId: string): ReadonlyMap<string, ChangeActor> {
  const { data } = useChanges(zoneId);
  const changes = data?.pages.flatMap((page) => page.changes) ?? [];
  return new Map(changes.map(({ change_id: id, actor }) => [id, actor]));
}

interface VersionProps {
  readonly entry: HistoryEntry;
  readonly actor: string;
  readonly record: StoredRecord;
  readonly onRestore: ((version: RecordDraft) => void) | undefined;
}

function Version({ entry, actor, record, onRestore }: VersionProps) {
  const { zone } = useOpenZone();
  const { action, before, after, at } = entry;
  const version = after === null ? null : asText(after);
  const isOther = version !== null && !isSame(record, version);
  return (
    <li className="change">
      <div className="change-head">
        <Moment at={at} />
        <span>
          <ShownText text={words.history.by(actor || words.history.service)} />
        </span>
        {isOther && onRestore !== undefined && (
          <span className="buttons">
            <button type="button" onClick={() => onRestore(version)}>
              {words.record.restore}
            </button>
          </span>
        )}
      </div>
      <PlanTable
        zone={zone.name}
        label={words.plan.table}
        rows={rowsOfDifferences([{ action: actionOf(action), before, after }])}
      />
    </li>
  );
}

/** Data comes back exactly as it was written. */
function asText(record: StoredRecord): RecordDraft {
  const { fields: _fields, ...draft } = draftOf(record);
  return draft;
}
