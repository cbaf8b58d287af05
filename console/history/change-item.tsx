import { usePlans } from '../changes/plan-provider.js';
import { rowsOfDifferences } from '../changes/plan.js';
import { PlanTable } from '../changes/plan-table.js';
import { actorOf } from '../changes/plan-requests.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { ExportButton } from '../records/export-button.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import type { Change } from './changes-of.js';
import { entriesOfChange } from './use-history.js';

interface Props {
  readonly change: Change;
  /** Where another day begins. */
  readonly day: string | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onFailure: (message: string) => void;
}

/** One change: who, when, how many records, and what can be done about it. */
export function ChangeItem({ change, day, isOpen, onToggle, onFailure }: Props) {
  const { zone } = useOpenZone();
  const { undo, restore } = usePlans();
  const { entries, serial, created, updated, deleted } = change;
  const hasRecords = created + updated + deleted > 0;
  const steps = async (): Promise<void> => {
    try {
      const all = await entriesOfChange(zone.id, change.id, entries[0]?.number ?? 0);
      if (all === null) onFailure(words.history.large);
      else undo(all.filter(isOfRecord), words.applied.undoOf(all.filter(isOfRecord).length, serial));
    } catch (error) {
      onFailure(error instanceof Error ? error.message : words.common.failed);
    }
  };
  const differences = [...entries]
    .reverse()
    .filter(isOfRecord)
    .map(({ action, before, after }) => {
      return { action: actionOf(action), before, after };
    });
  return (
    <li className="change">
      {day !== null && <p className="day">{day}</p>}
      <div className="change-head">
        <Moment at={change.at} />
        <span>
          <ShownText text={words.history.by(actorOf(change.actor) || words.history.service)} />
        </span>
        <span>{hasRecords ? words.history.counts(created, updated, deleted) : whatOf(change)}</span>
        <span className="serial">{words.history.serial(serial)}</span>
        <span className="buttons">
          {hasRecords && (
            <>
              <button type="button" aria-expanded={isOpen} onClick={onToggle}>
                {isOpen ? words.history.hide : words.history.show}
              </button>
              <button type="button" onClick={() => void steps()}>
                {words.history.undo}
              </button>
            </>
          )}
          {serial !== zone.serial && (
            <button type="button" onClick={() => restore(serial)}>
              {words.history.restore}
            </button>
          )}
          <ExportButton serial={serial} label={words.history.export} />
        </span>
      </div>
      {isOpen && <PlanTable zone={zone.name} label={words.plan.table} rows={rowsOfDifferences(differences)} />}
    </li>
  );
}

const isOfRecord = ({ action }: { readonly action: string }): boolean => action.startsWith('record.');

function actionOf(action: string): 'create' | 'update' | 'delete' {
  if (action.endsWith('.create')) return 'create';
  return action.endsWith('.delete') ? 'delete' : 'update';
}

function whatOf({ entries }: Change): string {
  return entries.some(({ action }) => action === 'domain.create')
    ? words.history.zoneCreated
    : words.history.zoneChanged;
}
