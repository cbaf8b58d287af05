import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import type { OwnershipOffer } from '../api/version-2.js';
import { useStatus } from '../frame/status.js';
import { Field } from '../parts/field.js';
import { CopyField } from '../parts/copy-field.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

const OFFERS = '/v2/zones/tasks/transfer_requests';

/** Offers the zone to another tenant, which accepts it by a key. Hidden where version 2 is disabled. */
export function Transfer() {
  const { zone } = useOpenZone();
  const status = useStatus();
  const [trouble, setTrouble] = useState<unknown>(null);
  const { data, refetch } = useQuery({
    queryKey: ['transfers', zone.id],
    queryFn: async ({ signal }) => {
      const path = `${OFFERS}?status=ACTIVE&limit=1000`;
      const { body } = await ask<{ readonly transfer_requests: readonly OwnershipOffer[] }>(path, { signal });
      return body.transfer_requests.find(({ zone_id: id }) => id === zone.id) ?? null;
    },
    staleTime: 0,
  });
  const attempt = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await act();
      setTrouble(null);
      status.show({ content: done });
      await refetch();
    } catch (error) {
      setTrouble(error);
    }
  };
  if (data === undefined) return null;
  const offer = (tenant: string): void => {
    const json = tenant === '' ? {} : { target_project_id: tenant };
    const path = `/v2/zones/${zone.id}/tasks/transfer_requests`;
    void attempt(() => ask(path, { method: 'POST', json }), words.transfer.offered);
  };
  return (
    <div className="settings">
      <h3>{words.transfer.heading}</h3>
      <p className="hint">{words.transfer.hint}</p>
      {trouble !== null && <Trouble error={trouble} />}
      {data === null ? (
        <OfferForm onOffer={offer} />
      ) : (
        <Offered
          offer={data}
          onWithdraw={() =>
            void attempt(() => ask(`${OFFERS}/${data.id}`, { method: 'DELETE' }), words.transfer.withdrawn)
          }
        />
      )}
    </div>
  );
}

function OfferForm({ onOffer }: { readonly onOffer: (tenant: string) => void }) {
  const [tenant, setTenant] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onOffer(tenant.trim());
  };
  return (
    <form className="value" onSubmit={submit}>
      <Field label={words.transfer.tenant} hint={words.transfer.tenantHint}>
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
      <button type="submit">{words.transfer.offer}</button>
    </form>
  );
}

function Offered({ offer, onWithdraw }: { readonly offer: OwnershipOffer; readonly onWithdraw: () => void }) {
  const { id, key, target_project_id: tenant } = offer;
  return (
    <>
      {typeof tenant === 'string' && (
        <p>
          <ShownText text={words.transfer.forTenant(tenant)} />
        </p>
      )}
      <CopyField label={words.transfer.id} text={id} />
      {key !== undefined && <CopyField label={words.transfer.key} text={key} />}
      <button type="button" className="danger" onClick={onWithdraw}>
        {words.transfer.withdraw}
      </button>
    </>
  );
}
