import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import type { Usage, Whoami } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { useOpening } from '../frame/use-opening.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { EditQuotas } from './edit-quotas.js';
import { QUOTAS } from './quota-names.js';

/** The quotas of the tenant with their use. */
export function QuotasPage() {
  useTitle(words.quotas.heading);
  const isSignedIn = useIsSignedIn();
  const { data: whoami } = useWhoami();
  const { values, open, close } = useOpening('dialog');
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: ['usage'],
    queryFn: async ({ signal }) => (await ask<Usage>('/v1/usage', { signal })).body,
    staleTime: 0,
    enabled: isSignedIn,
  });
  const trouble = error ?? failureReason;
  return (
    <>
      <div className="heading">
        <h1>{words.quotas.heading}</h1>
        {data !== undefined && maySet(whoami) && (
          <button type="button" onClick={() => open({ dialog: 'edit' })}>
            {words.quotas.edit}
          </button>
        )}
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={5} columns={[3, 1, 1, 2]} />}
      {data !== undefined && <Limits usage={data} />}
      {data !== undefined && maySet(whoami) && values.dialog === 'edit' && (
        <EditQuotas
          usage={data}
          onClose={close}
          onSaved={() => {
            close();
            void refetch();
          }}
        />
      )}
    </>
  );
}

/** Admins set limits, where the admin API has the quotas. */
const maySet = (whoami: Whoami | undefined): boolean =>
  whoami !== undefined && whoami.roles.includes('admin') && whoami.admin_extensions.includes('quotas');

function Limits({ usage }: { readonly usage: Usage }) {
  const { columns, limits } = words.quotas;
  return (
    <>
      <p>
        <ShownText text={words.quotas.hint(usage.tenant_id)} />
      </p>
      <table className="list" aria-label={words.quotas.heading}>
        <thead>
          <tr>
            <th scope="col">{columns.limit}</th>
            <th scope="col" className="number">
              {columns.use}
            </th>
            <th scope="col" className="number">
              {columns.most}
            </th>
            <th scope="col">{columns.share}</th>
          </tr>
        </thead>
        <tbody>
          {QUOTAS.map((name) => {
            const { limit, use } = usage.quotas[name];
            return (
              <tr key={name}>
                <td>{limits[name]}</td>
                <td className="number" data-label={columns.use}>
                  {use === null ? words.quotas.perZone : words.common.number(use)}
                </td>
                <td className="number" data-label={columns.most}>
                  {limit === null ? words.quotas.unlimited : words.common.number(limit)}
                </td>
                <td>{use !== null && limit !== null && <Share name={limits[name]} use={use} limit={limit} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

interface ShareProps {
  readonly name: string;
  readonly use: number;
  readonly limit: number;
}

function Share({ name, use, limit }: ShareProps) {
  const percent = limit === 0 ? 100 : Math.round((100 * use) / limit);
  return (
    <meter aria-label={words.quotas.share(name, percent)} min={0} max={100} high={90} optimum={0} value={percent} />
  );
}
