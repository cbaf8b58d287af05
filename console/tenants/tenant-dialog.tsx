import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import type { TenantList } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { actFor } from '../session/acting.js';
import { words } from '../words/index.js';

const LISTED = 1000;
const SHOWN = 50;

/** An admin chooses the tenant to act for. */
export function TenantDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { data, error } = useQuery({
    queryKey: ['tenants'],
    queryFn: async ({ signal }) => (await ask<TenantList>(`/v1/tenants?limit=${LISTED}`, { signal })).body,
    staleTime: 0,
  });
  const start = (tenant: string): void => {
    actFor(tenant);
    onClose();
    navigate('/zones');
    void queries.resetQueries();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (typed.trim() === '') setFault(words.tenants.missing);
    else start(typed.trim());
  };
  const sought = typed.trim().toLowerCase();
  const found = (data?.tenants ?? []).filter(({ tenant_id: id }) => id.toLowerCase().includes(sought)).slice(0, SHOWN);
  return (
    <DialogFrame title={words.tenants.title} onClose={onClose}>
      <form onSubmit={submit}>
        {error !== null && <Trouble error={error} />}
        <Field label={words.tenants.tenant} hint={words.tenants.hint} error={fault}>
          {(control) => (
            <input
              {...control}
              value={typed}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={255}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <ul className="choices">
          {found.map(({ tenant_id: id, domains }) => (
            <li key={id}>
              <button type="button" className="quiet" onClick={() => start(id)}>
                <ShownText text={id} longest={100} />
              </button>{' '}
              {words.tenants.zones(domains)}
            </li>
          ))}
        </ul>
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="primary">
            {words.tenants.start}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}
