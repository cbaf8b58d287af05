import { useEffect, useState } from 'react';
import { ask } from '../api/client.js';
import { isSignedOut, isUnanswered, isVerdict } from '../api/errors.js';
import type { ImportReport, PlanFinding } from '../api/types.js';
import { faultsOfFile, type LineFault } from '../changes/line-faults.js';
import { signedInAgain } from '../session/session.js';

/** Milliseconds after the last key. */
const PAUSE = 500;

/** What an import of the file would do, or why it is refused. */
export interface FileCheck {
  /** The checked text. */
  readonly text: string;
  /** `null`: refused. */
  readonly report: Pick<ImportReport, 'created' | 'updated' | 'unchanged' | 'skipped'> | null;
  readonly findings: readonly PlanFinding[];
  readonly lines: readonly LineFault[];
  readonly general: readonly string[];
}

/** Has the service try the import of a text whenever the user pauses. */
export function useFileCheck(zoneId: string, text: string, skipsNameServers: boolean) {
  const [check, setCheck] = useState<FileCheck | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    setError(null);
    if (text.trim() === '') {
      setCheck(null);
      return undefined;
    }
    const ended = new AbortController();
    const look = async (): Promise<void> => {
      await pause(PAUSE);
      try {
        const next = await resumed(() => checked(zoneId, text, skipsNameServers, ended.signal), ended.signal);
        if (!ended.signal.aborted) setCheck(next);
      } catch (trouble) {
        if (!ended.signal.aborted) setError(trouble);
      }
    };
    void look();
    return () => ended.abort();
  }, [zoneId, text, skipsNameServers]);
  return { check, error, isChecking: error === null && text.trim() !== '' && check?.text !== text };
}

async function checked(zoneId: string, text: string, skips: boolean, signal: AbortSignal): Promise<FileCheck> {
  signal.throwIfAborted();
  const query = new URLSearchParams({ mode: 'merge', dry_run: 'true', findings: 'true' });
  if (skips) query.set('skip_name_servers', 'true');
  try {
    const path = `/v1/domains/${zoneId}/import?${query.toString()}`;
    const { body } = await ask<ImportReport>(path, { method: 'POST', text, signal });
    return { text, report: body, findings: body.findings ?? [], lines: [], general: [] };
  } catch (error) {
    if (!isVerdict(error)) throw error;
    const faults = faultsOfFile(text, error.fields);
    const isExplained = error.fields.length > 0;
    return { text, report: null, findings: [], ...faults, ...(!isExplained && { general: [error.message] }) };
  }
}

/** Tries again after a sign-in, and while the service does not answer. */
async function resumed<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || !(isUnanswered(error) || isSignedOut(error))) throw error;
      await (isUnanswered(error) ? pause(error.retryAfter * 1000) : signedInAgain());
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
