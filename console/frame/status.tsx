import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { words } from '../words/index.js';

interface Status {
  readonly content: ReactNode;
  /** What can be done about it, such as taking it back. */
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

/** One line that says what was done. It is there before it says anything, as screen readers want it. */
export function StatusProvider({ children }: { readonly children: ReactNode }) {
  const [current, setCurrent] = useState<Status | null>(null);
  const clear = useCallback(() => setCurrent(null), []);
  useEffect(() => {
    // It covers what is below; only what can still be done about it is worth that.
    if (current === null || current.action !== undefined) return undefined;
    const timer = setTimeout(clear, READ_WITHIN);
    return () => clearTimeout(timer);
  }, [current, clear]);
  const line = useMemo(() => ({ show: setCurrent, clear, current }), [clear, current]);
  return (
    <StatusContext value={line}>
      {children}
      <div className={current === null ? 'status-line idle' : 'status-line'} data-react-aria-top-layer="true">
        <div role="status">{current?.content}</div>
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
