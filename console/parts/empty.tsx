import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.js';

export interface EmptyAction {
  readonly label: string;
  /** An address or a function. */
  readonly to: string | (() => void);
}

interface Props {
  readonly icon: IconName;
  /** One sentence. */
  readonly children: ReactNode;
  /** The first is the likely one. */
  readonly actions?: readonly (EmptyAction | false)[];
}

/** In place of content that is not there: an icon, one sentence and up to three actions. */
export function Empty({ icon, children, actions = [] }: Props) {
  const shown = actions.filter((action) => action !== false);
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      {shown.length > 0 && (
        <div className="empty-actions">
          {shown.map(({ label, to }) =>
            typeof to === 'string' ? (
              <Link key={label} href={to} className="action">
                {label}
              </Link>
            ) : (
              <button key={label} type="button" onClick={to}>
                {label}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  );
}
