import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { seeZoneAt, viewsOf, zoneKey } from '../api/queries.js';
import { useShortcuts } from '../frame/shortcuts.js';
import { useStatus } from '../frame/status.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { AppliedStatus } from './applied-status.js';
import { type Base, type Entry, NOTHING_PENDING } from './pending.js';
import { changePending, pendingAt } from './pending-store.js';
import { PlanDialog, type PlannedWork } from './plan-dialog.js';
import { type Applied, changeOfSerial, type PlanSubject } from './plan-requests.js';

interface Plans {
  /** Shows the plan of what was gathered. */
  readonly review: () => void;
  /** Shows the plan that takes one change back, whatever has come after it. */
  readonly undo: (changeId: string, what: string) => void;
  /** Shows the plan that makes the records what they were. */
  readonly restore: (serial: number) => void;
  /** Shows the plan of an import. */
  readonly importFile: (file: { readonly mode: 'merge' | 'replace'; readonly text: string }) => void;
}

const PlansContext = createContext<Plans>({
  review: () => {},
  undo: () => {},
  restore: () => {},
  importFile: () => {},
});

export const usePlans = (): Plans => useContext(PlansContext);

interface OpenWork extends PlannedWork {
  /** Whether it is what was gathered, and goes from there when it is applied. */
  readonly isGathered: boolean;
}

/** Whatever changes the open zone goes through one dialog. */
export function PlanProvider({ children }: { readonly children: ReactNode }) {
  const { zone, etag, place } = useOpenZone();
  const [work, setWork] = useState<OpenWork | null>(null);
  const lastApplied = useRef<(() => void) | null>(null);
  const status = useStatus();
  const refresh = useRefresh();
  const base = useMemo(() => ({ etag, serial: zone.serial }), [etag, zone.serial]);

  // Nothing was begun on an earlier state of the zone.
  const openOnLatest = useCallback(
    async (subject: PlanSubject, note: string | null): Promise<void> => {
      try {
        const now = await seeZoneAt(zone.id);
        setWork({ subject, base: { etag: now.etag, serial: now.zone.serial }, note, isGathered: false });
      } catch (error) {
        status.show({ content: error instanceof Error ? error.message : words.common.failed });
      }
    },
    [zone.id, status.show],
  );
  const plans = useMemo<Plans>(
    () => ({
      review: () => {
        const { entries, base: begun } = pendingAt(place);
        if (entries.length === 0) return;
        setWork({ subject: { kind: 'changes', entries }, base: begun ?? base, note: null, isGathered: true });
      },
      undo: (changeId, what) => void openOnLatest({ kind: 'undo', changeId }, words.plan.undoOf(what)),
      restore: (serial) => void openOnLatest({ kind: 'revert', serial }, words.plan.revertTo(serial)),
      importFile: (file) => void openOnLatest({ kind: 'import', ...file }, words.plan.importOf(file.mode)),
    }),
    [place, base, openOnLatest],
  );
  // What is applied later is undone on the state of that time.
  const latest = useRef(plans);
  useEffect(() => {
    latest.current = plans;
  });
  useEffect(() => () => (lastApplied.current === null ? undefined : status.clear()), [status.clear]);

  const applied = useCallback(
    async (result: Applied): Promise<void> => {
      if (work?.isGathered === true) changePending(place, () => NOTHING_PENDING);
      setWork(null);
      await refresh();
      const undo = async (): Promise<void> => {
        try {
          const changeId = await changeOfSerial(zone.id, result.serial);
          if (changeId === null) status.show({ content: words.applied.tooOld });
          else latest.current.undo(changeId, words.applied.undoOf(result.size, result.serial));
        } catch (error) {
          status.show({ content: error instanceof Error ? error.message : words.common.failed });
        }
      };
      lastApplied.current = () => void undo();
      status.show({
        content: <AppliedStatus zoneId={zone.id} size={result.size} serial={result.serial} />,
        action: { label: words.applied.undo, act: () => void undo() },
      });
    },
    [work, place, refresh, status.show, zone.id],
  );
  const keep = useCallback(
    (entries: readonly Entry[], next: Base): void => {
      if (work?.isGathered !== true) return;
      changePending(place, () => (entries.length === 0 ? NOTHING_PENDING : { entries, base: next }));
    },
    [work, place],
  );
  useShortcuts({ r: plans.review, u: () => lastApplied.current?.() });

  return (
    <PlansContext value={plans}>
      {children}
      {work !== null && (
        <PlanDialog
          zone={zone}
          work={work}
          onEntries={keep}
          onApplied={(result) => void applied(result)}
          onClose={() => setWork(null)}
        />
      )}
    </PlansContext>
  );
}

/** Reads the zone again, and lets everything that shows it read again. */
function useRefresh(): () => Promise<void> {
  const { zone } = useOpenZone();
  const queries = useQueryClient();
  return useCallback(async () => {
    queries.setQueryData(zoneKey(zone.name), await seeZoneAt(zone.id));
    await Promise.all([...viewsOf(zone.id), ['zones']].map((queryKey) => queries.invalidateQueries({ queryKey })));
  }, [queries, zone.id, zone.name]);
}
