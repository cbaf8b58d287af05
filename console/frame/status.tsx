import { createContext, Fragment, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { words } from '../words/index.js';

interface Status {
  readonly content: ReactNode;
  /** An action, such as undo. */
  readonly action?: { readonly label: string; readonly act: () => void };
}

interface StatusLine {
  readonly show: (status: Status) => void;
  readonly clear: () => void;
  readonly current: Status | null;
}

const StatusContext = createContext<StatusLine>({ show: () => {}, clear: () => {}, current: null });

export const useStatus = (): StatusLine => useContext(StatusContext);

const READ_WITHIN = 15_000;

/** A status line. Screen readers need the element before its first message. */
export function StatusProvider({ children }: { readonly children: ReactNode }) {
  const [current, setCurrent] = useState<(Status & { readonly turn: number }) | null>(null);
  const show = useCallback(
    (status: Status) => setCurrent((before) => ({ ...status, turn: (before?.turn ?? 0) + 1 })),
    [],
  );
  const clear = useCallback(() => setCurrent(null), []);
  useEffect(() => {
    // It covers the content below, so it stays only while its action is possible.
    if (current === null || current.action !== undefined) return undefined;
    const timer = setTimeout(clear, READ_WITHIN);
    return () => clearTimeout(timer);
  }, [current, clear]);
  const line = useMemo(() => ({ show, clear, current }), [show, clear, current]);
  return (
    <StatusContext value={line}>
      {children}
      <div className={current === null ? 'status-line idle' : 'status-line'} data-react-aria-top-layer="true">
        <div role="status">
          {/* The same text again is announced again. */}
          {current !== null && <Fragment key={current.turn}>{current.content}</Fragment>}
        </div>
        {current?.action !== undefined && (
          <button type="button" onClick={current.action.act}>
            {current.action.label}
          </button>
        )}
        {current !== null && (
          <button type="button" className="quiet" onClick={clear}>
            {words.common.dismiss}
          </button>
        )}
      </div>
    </StatusContext>
  );
}
