import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { beforeLeaving, KEPT } from './leaving.js';

/** State that the page has again after it left to sign in at the issuer. Never a secret: the storage of the tab has it meanwhile. */
export function useKeptState<State>(name: string, initial: () => State): [State, Dispatch<SetStateAction<State>>] {
  const key = KEPT + name;
  const [state, setState] = useState<State>(() => (keptAt(key) as State | null) ?? initial());
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    sessionStorage.removeItem(key);
    return beforeLeaving(() => {
      try {
        sessionStorage.setItem(key, JSON.stringify(latest.current));
      } catch {
        // Without room in the storage, it is lost.
      }
    });
  }, [key]);
  return [state, setState];
}

function keptAt(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
