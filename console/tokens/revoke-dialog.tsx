import { useState } from 'react';
import { ask } from '../api/client.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { beginSession } from '../session/sign-in.js';
import { words } from '../words/index.js';

/** A token or an update key to revoke. */
export interface Revocable {
  readonly path: string;
  readonly title: string;
  readonly question: string;
  readonly done: string;
  /** Whether it is the token of this session. */
  readonly isOwn: boolean;
}

interface Props {
  readonly subject: Revocable;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeDialog({ subject, onClose, onRevoked }: Props) {
  const { path, title, question, done, isOwn } = subject;
  const [trouble, setTrouble] = useState<unknown>(null);
  const status = useStatus();
  const revoke = async (): Promise<void> => {
    try {
      await ask(path, { method: 'DELETE' });
      status.show({ content: done });
      if (isOwn) await beginSession();
      onRevoked();
    } catch (error) {
      setTrouble(error);
    }
  };
  return (
    <DialogFrame title={title} onClose={onClose}>
      {trouble !== null && <Trouble error={trouble} />}
      <p>
        <ShownText text={question} />
      </p>
      {isOwn && <p className="notice">{words.tokens.revokeOwn}</p>}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.common.cancel}
        </button>
        <button type="button" className="danger" onClick={() => void revoke()}>
          {words.tokens.revokeShort}
        </button>
      </div>
    </DialogFrame>
  );
}
