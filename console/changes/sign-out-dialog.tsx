import { countMoves } from '../move-in/move-store.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { words } from '../words/index.js';
import { countPending } from './pending-store.js';

interface Props {
  readonly onClose: () => void;
  readonly onSignOut: () => void;
}

/** Asks before signing out discards pending changes. */
export function SignOutDialog({ onClose, onSignOut }: Props) {
  const { title, question, button } = words.pending.signOut;
  const { changes, zones } = countPending();
  return (
    <DialogFrame title={title} onClose={onClose}>
      {changes > 0 && <p>{question(changes, zones)}</p>}
      {countMoves() > 0 && <p>{words.moves.signOut(countMoves())}</p>}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.common.cancel}
        </button>
        <button type="button" className="danger" onClick={onSignOut}>
          {button}
        </button>
      </div>
    </DialogFrame>
  );
}
