import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { isSignedOut } from '../api/errors.js';
import { seeZoneAt, viewsOf, zoneKey } from '../api/queries.js';
import { useShortcuts } from '../frame/shortcuts.js';
import { useStatus } from '../frame/status.js';
import { rescueFocus } from '../parts/rescue-focus.js';
import { signedInAgain } from '../session/session.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { type Base, type Entry, NOTHING_PENDING } from './pending.js';
import { lazily } from '../parts/lazily.js';
import { LoadingDialog } from '../parts/loading-dialog.js';
import { changePending, keepOrigin, pendingAt, usePending } from './pending-store.js';
import type { FileOwner, PlannedWork } from './plan-dialog.js';
import type { Applied, ImportedFile, PlanSubject } from './plan-requests.js';
import { ProgressChip } from './progress-chip.js';
import { useWantedPlan } from './wanted-plan.js';

const PlanDialog = lazily(() => import('./plan-dialog.js').then((module) => module.PlanDialog), <LoadingDialog />);

interface Plans {
  /** Shows the plan of the pending changes. */
  readonly review: () => void;
  /** Shows the plan that undoes one change, despite later changes. */
  readonly undo: (changeId: string, what: string, onEnd?: () => void) => void;
  /** Shows the plan that restores the records of a serial. */
  readonly restore: (serial: number, onEnd?: () => void) => void;
  /** Shows the plan of an import. */
  readonly importFile: (file: ImportedFile, owner: FileOwner, onEnd: () => void) => void;
  /** Closes the plan, or opens none that is still on its way. */
  readonly cancel: () => void;
}

const PlansContext = createContext<Plans>({
  review: () => {},
  undo: () => {},
  restore: () => {},
  importFile: () => {},
  cancel: () => {},
});

export const usePlans = (): Plans => useContext(PlansContext);

interface OpenWork extends PlannedWork {
  /** Whether it contains the pending changes, which applying removes. */
  readonly isGathered: boolean;
  /** Learns that the plan is closed. */
  readonly onEnd?: (() => void) | undefined;
}

/** Sends all changes of the open zone through one dialog. */
export function PlanProvider({ children }: { readonly children: ReactNode }) {
  const { zone, etag, place } = useOpenZone();
  const [work, setWork] = useState<OpenWork | null>(null);
  /** Counts plans: only the last one opens. */
  const turn = useRef(0);
  const lastApplied = useRef<(() => void) | null>(null);
  const status = useStatus();
  const may = usePermitted();
  // The records of the own change are permitted.
  const mayUndo = may.create && may.update && may.delete;
  const refresh = useRefresh();
  const hasPending = usePending(place).entries.length > 0;
  useEffect(() => {
    if (hasPending) keepOrigin(place, zone.name);
  }, [hasPending, place, zone.name]);
  const base = useMemo(() => ({ etag, serial: zone.serial }), [etag, zone.serial]);

  // Nothing was begun on an earlier state of the zone.
  const openOnLatest = useCallback(
    async (subject: PlanSubject, note: string | null, more: Pick<OpenWork, 'owner' | 'onEnd'>): Promise<void> => {
      turn.current += 1;
      const own = turn.current;
      try {
        const now = await afterSignIn(() => seeZoneAt(zone.id));
        const latest = { etag: now.etag, serial: now.zone.serial };
        if (own === turn.current) setWork({ subject, base: latest, note, isGathered: false, ...more });
      } catch (error) {
        more.onEnd?.();
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
      undo: (changeId, what, onEnd) =>
        void openOnLatest({ kind: 'undo', changeId }, words.plan.undoOf(what), { onEnd }),
      restore: (serial, onEnd) => void openOnLatest({ kind: 'revert', serial }, words.plan.revertTo(serial), { onEnd }),
      importFile: (file, owner, onEnd) =>
        void openOnLatest({ kind: 'import', ...file }, words.plan.importOf(file.mode), { owner, onEnd }),
      cancel: () => {
        turn.current += 1;
        setWork(null);
      },
    }),
    [place, base, openOnLatest],
  );
  useWantedPlan(place, work?.isGathered === true, plans.review);
  // An undo applies to the state at its time.
  const latest = useRef(plans);
  useEffect(() => {
    latest.current = plans;
  });
  useEffect(() => () => (lastApplied.current === null ? undefined : status.clear()), [status.clear]);

  const applied = useCallback(
    async (result: Applied): Promise<void> => {
      if (work?.isGathered === true) changePending(place, () => NOTHING_PENDING);
      setWork(null);
      work?.onEnd?.();
      // The tray, which had the focus before the plan, leaves with its changes.
      rescueFocus();
      await refresh();
      work?.owner?.applied?.();
      const undo = async (): Promise<void> => {
        try {
          const { changeOfSerial } = await import('./plan-requests.js');
          const changeId = await changeOfSerial(zone.id, result.serial);
          if (changeId === null) status.show({ content: words.applied.tooOld });
          else latest.current.undo(changeId, words.applied.undoOf(result.size, result.serial));
        } catch (error) {
          status.show({ content: error instanceof Error ? error.message : words.common.failed });
        }
      };
      lastApplied.current = mayUndo ? () => void undo() : null;
      status.show({
        content: <ProgressChip zone={zone} size={result.size} serial={result.serial} />,
        ...(mayUndo && { action: { label: words.applied.undo, act: () => void undo() } }),
      });
    },
    [work, place, refresh, status.show, zone, mayUndo],
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
          onClose={() => {
            setWork(null);
            work.onEnd?.();
          }}
        />
      )}
    </PlansContext>
  );
}

/** Repeats a request that the end of the session has interrupted. */
async function afterSignIn<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    await signedInAgain();
    return request();
  }
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
