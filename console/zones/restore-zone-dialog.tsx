import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import { isUnanswered, Refusal } from '../api/errors.js';
import type { DeletedZones, Zone } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';

interface Props {
  readonly zone: DeletedZones['deleted_domains'][number];
  readonly onClose: () => void;
}

/** Has a deleted zone made again, and leads to it. */
export function RestoreZoneDialog({ zone, onClose }: Props) {
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isAsked, setAsked] = useState(false);
  // A repetition after a lost answer makes no second zone.
  const [key, setKey] = useState<string>(() => crypto.randomUUID());
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const status = useStatus();
  const restore = async (): Promise<void> => {
    if (isAsked) return;
    setAsked(true);
    try {
      const path = `/v1/deleted-domains/${zone.id}/restore`;
      const { body } = await ask<Zone>(path, { method: 'POST', json: {}, idempotencyKey: key });
      status.show({ content: <ShownText text={words.deleted.restored(body.name)} /> });
      await queries.invalidateQueries({ queryKey: ['zones'] });
      onClose();
      navigate(zoneAddress(body.name, 'records'));
    } catch (error) {
      if (!isUnanswered(error)) setKey(crypto.randomUUID());
      setTrouble(error);
      setAsked(false);
    }
  };
  return (
    <DialogFrame title={words.deleted.restoreTitle} onClose={onClose} mayClose={!isAsked}>
      {trouble !== null && <Trouble error={trouble} />}
      <RefusedRecords error={trouble} />
      <p>
        <ShownText text={words.deleted.restoreQuestion(zone.name)} />
      </p>
      <p>{words.deleted.restoreLost}</p>
      <div className="buttons">
        <button type="button" aria-disabled={isAsked || undefined} onClick={onClose}>
          {words.common.cancel}
        </button>
        <button type="button" className="primary" aria-disabled={isAsked || undefined} onClick={() => void restore()}>
          {words.deleted.restoreShort}
        </button>
      </div>
    </DialogFrame>
  );
}

/** Reasons why single records cannot be restored, each with its name. */
function RefusedRecords({ error }: { readonly error: unknown }) {
  if (!(error instanceof Refusal) || error.fields.length === 0) return null;
  return (
    <ul className="choices">
      {error.fields.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <ShownText text={message} />
        </li>
      ))}
    </ul>
  );
}
