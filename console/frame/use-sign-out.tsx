import { type ReactNode, useState } from 'react';
import { countPending, forgetAllPending } from '../changes/pending-store.js';
import { countMoves, forgetAllMoves } from '../move-in/move-store.js';
import { lazily } from '../parts/lazily.js';
import { actFor } from '../session/acting.js';
import { signOut } from '../session/sign-in.js';
import { words } from '../words/index.js';
import { forgetRecentZones } from './recent-zones.js';
import { useStatus } from './status.js';

const SignOutDialog = lazily(() => import('../changes/sign-out-dialog.js').then((module) => module.SignOutDialog));

interface SignOut {
  /** Signs out, after a question if that discards pending changes. */
  readonly begin: () => void;
  readonly dialog: ReactNode;
}

export function useSignOut(): SignOut {
  const [asks, setAsks] = useState(false);
  const status = useStatus();
  const leave = async (): Promise<void> => {
    setAsks(false);
    try {
      await signOut();
      forgetAllPending();
      forgetAllMoves();
      forgetRecentZones();
      actFor(null);
      status.show({ content: words.frame.signedOut });
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    }
  };
  return {
    begin: () => (countPending().changes + countMoves() > 0 ? setAsks(true) : void leave()),
    dialog: asks ? <SignOutDialog onClose={() => setAsks(false)} onSignOut={() => void leave()} /> : null,
  };
}
