import { ShownText } from '../parts/shown-text.js';
import { useActingFor, useActsForAll } from '../session/acting.js';
import { words } from '../words/index.js';
import { useActing } from './use-acting.js';

/** Always visible while an admin acts as a tenant or sees all tenants. */
export function ActingNotice() {
  const tenant = useActingFor();
  const isForAll = useActsForAll();
  const { stop } = useActing();
  if (tenant === null && !isForAll) return null;
  return (
    <span className="acting">
      {tenant === null ? words.tenants.seeingAll : <ShownText text={words.tenants.acting(tenant)} />}{' '}
      <button type="button" onClick={stop}>
        {words.tenants.stop}
      </button>
    </span>
  );
}
