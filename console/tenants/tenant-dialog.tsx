import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import type { TenantList } from '../api/types.js';
import { useWhoami } from '../api/queries.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { Icon } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { useActsForAll } from '../session/acting.js';
import { words } from '../words/index.js';
import { useActing } from './use-acting.js';

const LISTED = 1000;
const SHOWN = 50;

/** An admin chooses the tenant to act for. */
export function TenantDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const [isAsking, setAsking] = useState(false);
  const { actAs, seeAll } = useActing();
  const { data: whoami } = useWhoami();
  const isForAll = useActsForAll();
  const current = isForAll ? null : (whoami?.tenant_id ?? null);
  const name = typed.trim();
  const { found, isPending, error } = useTenants(name);
  const start = (tenant: string): void => {
    onClose();
    actAs(tenant);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (name === '') {
      setFault(words.tenants.missing);
      return;
    }
    setAsking(true);
    try {
      if (await isTenant(name)) start(name);
      else setFault(words.tenants.unknown(name));
    } catch (failure) {
      setFault(failure instanceof Error ? failure.message : words.common.failed);
    } finally {
      setAsking(false);
    }
  };
  return (
    <DialogFrame title={words.tenants.title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
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
              onChange={({ target }) => {
                setTyped(target.value);
                setFault(undefined);
              }}
            />
          )}
        </Field>
        <ul className="choices tenants" aria-label={words.tenants.list} aria-busy={isPending || undefined}>
          {found.map(({ tenant_id: id, domains }) => (
            <li key={id}>
              <button
                type="button"
                className="quiet"
                aria-current={id === current || undefined}
                onClick={() => start(id)}
              >
                <ShownText text={id} longest={100} />
              </button>{' '}
              {id === current && <Icon name="done" />} <span className="hint">{words.tenants.zones(domains)}</span>
            </li>
          ))}
        </ul>
        {found.length === 0 && !isPending && <p className="empty">{words.tenants.none}</p>}
        <div className="buttons">
          <button
            type="button"
            onClick={() => {
              onClose();
              seeAll();
            }}
          >
            {words.tenants.seeAll}
          </button>
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="primary" aria-disabled={isAsking || undefined}>
            {words.tenants.start}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}

/** The tenants whose names contain a text. If the service has more than one page, those that begin with it come first. */
function useTenants(text: string) {
  const page = useTenantPage('', true);
  const isCut = page.data?.links.next !== undefined;
  const beginning = useTenantPage(text, isCut && text !== '');
  const sought = text.toLowerCase();
  const listed = page.data?.tenants.filter(({ tenant_id: id }) => id.toLowerCase().includes(sought)) ?? [];
  const first = isCut && text !== '' ? (beginning.data?.tenants ?? []) : [];
  const names = new Set(first.map(({ tenant_id: id }) => id));
  const found = [...first, ...listed.filter(({ tenant_id: id }) => !names.has(id))].slice(0, SHOWN);
  return { found, isPending: page.isPending || beginning.isFetching, error: page.error ?? beginning.error };
}

function useTenantPage(prefix: string, isAsked: boolean) {
  return useQuery({
    queryKey: ['tenants', prefix],
    queryFn: ({ signal }) => tenantsFrom(prefix, prefix === '' ? LISTED : SHOWN, signal),
    staleTime: 0,
    enabled: isAsked,
  });
}

async function tenantsFrom(prefix: string, limit: number, signal?: AbortSignal): Promise<TenantList> {
  const query = new URLSearchParams({ limit: String(limit), ...(prefix !== '' && { prefix }) });
  return (await ask<TenantList>(`/v1/tenants?${query.toString()}`, { signal })).body;
}

/** The tenant of the exact name comes first. */
async function isTenant(name: string): Promise<boolean> {
  return (await tenantsFrom(name, 1)).tenants[0]?.tenant_id === name;
}
