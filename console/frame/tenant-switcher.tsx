import { useWhoami } from '../api/queries.js';
import { Icon } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { useActingFor, useActsForAll } from '../session/acting.js';
import { words } from '../words/index.js';

/** The tenant whose zones are shown. Admins open the choice of another one with it. */
export function TenantSwitcher({ onOpen }: { readonly onOpen: () => void }) {
  const { data: whoami } = useWhoami();
  const chosen = useActingFor();
  const isForAll = useActsForAll();
  if (whoami === undefined) return <div className="tenant" />;
  const tenant = chosen ?? whoami.tenant_id;
  const name = isForAll ? words.tenants.seeAll : (tenant ?? words.tenants.noTenant);
  const shown = (
    <>
      <span className="tenant-mark">
        {isForAll || tenant === null ? <Icon name="tenants" /> : <span data-initial={initialOf(tenant)} />}
      </span>
      <span className="label">
        <ShownText text={name} longest={100} />
      </span>
    </>
  );
  if (!whoami.roles.includes('admin'))
    return (
      <p className="tenant" title={name}>
        <span className="visually-hidden">{words.tenants.own}</span> {shown}
      </p>
    );
  return (
    <button
      type="button"
      className="tenant"
      title={name}
      aria-label={words.tenants.chosen(name)}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {shown}
      <Icon name="choose" />
    </button>
  );
}

const initialOf = (name: string): string => [...name].slice(0, 1).join('').toUpperCase();
