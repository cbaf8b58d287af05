import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import type { ZoneShare } from '../api/version-2.js';
import { useStatus } from '../frame/status.js';
import { Field } from '../parts/field.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Tenants with record sets in the zone. Hidden where version 2 is disabled. */
export function Shares() {
  const { zone } = useOpenZone();
  const path = `/v2/zones/${zone.id}/shares`;
  const status = useStatus();
  const [trouble, setTrouble] = useState<unknown>(null);
  const { data, refetch } = useQuery({
    queryKey: ['shares', zone.id],
    queryFn: async ({ signal }) =>
      (await ask<{ readonly shared_zones: readonly ZoneShare[] }>(`${path}?limit=1000`, { signal })).body.shared_zones,
    staleTime: 0,
  });
  const attempt = async (act: () => Promise<unknown>, done: string): Promise<boolean> => {
    try {
      await act();
      setTrouble(null);
      status.show({ content: <ShownText text={done} /> });
      await refetch();
      return true;
    } catch (error) {
      setTrouble(error);
      return false;
    }
  };
  if (data === undefined) return null;
  return (
    <div className="settings">
      <h3>{words.sharing.heading}</h3>
      <p className="hint">{words.sharing.hint}</p>
      {trouble !== null && <Trouble error={trouble} />}
      {data.length === 0 ? (
        <p>{words.sharing.none}</p>
      ) : (
        <SharesTable
          shares={data}
          onEnd={({ id }) => void attempt(() => ask(`${path}/${id}`, { method: 'DELETE' }), words.sharing.unshared)}
        />
      )}
      <ShareForm
        onShare={(tenant) =>
          attempt(
            () => ask(path, { method: 'POST', json: { target_project_id: tenant } }),
            words.sharing.shared(tenant),
          )
        }
      />
    </div>
  );
}

interface TableProps {
  readonly shares: readonly ZoneShare[];
  readonly onEnd: (share: ZoneShare) => void;
}

function SharesTable({ shares, onEnd }: TableProps) {
  const { columns } = words.sharing;
  return (
    <table className="list" aria-label={words.sharing.table}>
      <thead>
        <tr>
          <th scope="col">{columns.tenant}</th>
          <th scope="col">{columns.since}</th>
          <th scope="col">
            <span className="visually-hidden">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={share.id}>
            <td>
              <ShownText text={share.target_project_id} />
            </td>
            <td data-label={columns.since}>
              <Moment at={share.created_at} />
            </td>
            <td>
              <button
                type="button"
                className="danger"
                aria-label={words.sharing.unshare(share.target_project_id)}
                onClick={() => onEnd(share)}
              >
                {words.sharing.unshareShort}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShareForm({ onShare }: { readonly onShare: (tenant: string) => Promise<boolean> }) {
  const [tenant, setTenant] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = tenant.trim();
    setFault(name === '' ? words.sharing.missing : undefined);
    if (name !== '' && (await onShare(name))) setTenant('');
  };
  return (
    <form className="value" onSubmit={(event) => void submit(event)}>
      <Field label={words.sharing.tenant} error={fault}>
        {(control) => (
          <input
            {...control}
            value={tenant}
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            onChange={({ target }) => setTenant(target.value)}
          />
        )}
      </Field>
      <button type="submit">{words.sharing.share}</button>
    </form>
  );
}
