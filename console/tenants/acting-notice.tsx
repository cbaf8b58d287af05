import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ShownText } from '../parts/shown-text.js';
import { actFor, useActingFor } from '../session/acting.js';
import { words } from '../words/index.js';

/** Always in sight while an admin acts for somebody else. */
export function ActingNotice() {
  const tenant = useActingFor();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  if (tenant === null) return null;
  const stop = (): void => {
    actFor(null);
    navigate('/zones');
    void queries.resetQueries();
  };
  return (
    <span className="acting">
      <ShownText text={words.tenants.acting(tenant)} />{' '}
      <button type="button" onClick={stop}>
        {words.tenants.stop}
      </button>
    </span>
  );
}
