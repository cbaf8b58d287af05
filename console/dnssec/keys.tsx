import { useState } from 'react';
import type { Dnssec } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Moment } from '../parts/moment.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

type Key = Dnssec['keys'][number];
type Role = Key['role'];

interface Props {
  readonly dnssec: Dnssec;
  readonly mayEdit: boolean;
}

/** The keys of a zone, and how another takes the place of one. */
export function Keys({ dnssec, mayEdit }: Props) {
  const { keyColumns: columns } = words.dnssec;
  const { keys, rollover, state } = dnssec;
  const [rolling, setRolling] = useState<Role | null>(null);
  const mayRoll = mayEdit && rollover === null && (state === 'ready' || state === 'secure');
  const hasSchedule = keys.some((key) => key.rollover_at !== null);
  return (
    <>
      <h3>{words.dnssec.keys}</h3>
      <table className="list" aria-label={words.dnssec.keys}>
        <thead>
          <tr>
            <th scope="col">{columns.tag}</th>
            <th scope="col">{columns.role}</th>
            <th scope="col">{columns.algorithm}</th>
            <th scope="col">{columns.use}</th>
            {hasSchedule && <th scope="col">{columns.schedule}</th>}
            <th scope="col">
              <span className="visually-hidden">{columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td data-label={columns.tag}>{key.tag}</td>
              <td data-label={columns.role}>
                {key.signer === null ? words.dnssec.roles[key.role] : words.dnssec.keyOf(key.signer)}
              </td>
              <td data-label={columns.algorithm}>{key.algorithm}</td>
              <td data-label={columns.use}>{words.dnssec.uses[useOf(key)]}</td>
              {hasSchedule && (
                <td data-label={columns.schedule}>{key.rollover_at && <Moment at={key.rollover_at} />}</td>
              )}
              <td>
                {mayRoll && key.signer === null && (
                  <button type="button" onClick={() => setRolling(key.role)}>
                    {words.dnssec.roll(key.role.toUpperCase())}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rolling !== null && <RollDialog role={rolling} onClose={() => setRolling(null)} />}
    </>
  );
}

function useOf({ published, signs_keys: signsKeys, signs_zone: signsZone }: Key): keyof typeof words.dnssec.uses {
  if (!published) return 'none';
  return signsKeys || signsZone ? 'signs' : 'published';
}

function RollDialog({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const { act, fault } = useDnssecAction();
  const roll = async (): Promise<void> => {
    if (await act('/rollovers', { method: 'POST', json: { key: role } }, words.dnssec.rolled)) onClose();
  };
  return (
    <DialogFrame title={words.dnssec.roll(role.toUpperCase())} onClose={onClose}>
      {fault !== null && <Trouble error={fault} />}
      <p>{words.dnssec.rollQuestion[role]}</p>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.common.cancel}
        </button>
        <button type="button" className="primary" onClick={() => void roll()}>
          {words.dnssec.rollButton}
        </button>
      </div>
    </DialogFrame>
  );
}
