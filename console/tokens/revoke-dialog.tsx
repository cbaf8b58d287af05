import { useState } from 'react';
import { ask } from '../api/client.js';
import { beginSession } from '../session/sign-in.js';
import type { Token } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { nameOf } from './tokens-table.js';

interface Props {
  readonly token: Token;
  readonly isOwn: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeDialog({ token, isOwn, onClose, onRevoked }: Props) {
  const [trouble, setTrouble] = useState<unknown>(null);
  const status = useStatus();
  const revoke = async (): Promise<void> => {
    try {
      await ask(`/v1/tokens/${token.id}`, { method: 'DELETE' });
      status.show({ content: words.tokens.revoked });
      if (isOwn) await beginSession();
      onRevoked();
    } catch (error) {
      setTrouble(error);
    }
  };
  return (
    <DialogFrame title={words.tokens.revokeTitle} onClose={onClose}>
      {trouble !== null && <Trouble error={trouble} />}
      <p>
        <ShownText text={words.tokens.revokeQuestion(nameOf(token))} />
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
