import './blank.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { EmptyAction } from './empty.js';
import { Icon, type IconName, Logo } from './icon.js';

interface Props {
  /** `null`: the mark of the product. */
  readonly icon: IconName | null;
  readonly title: string;
  /** 1 where the page has no other heading. */
  readonly level?: 1 | 2;
  /** Sentences, each a paragraph. */
  readonly children: ReactNode;
  /** The first is the likely one. */
  readonly actions: readonly (EmptyAction | false)[];
  readonly className?: string;
}

/** In place of a whole page: one card that says why, and what the person can do next. */
export function Blank({ icon, title, level = 2, children, actions, className = '' }: Props) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <section className={`blank ${className}`}>
      {icon === null ? (
        <Logo />
      ) : (
        <span className="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <Heading>{title}</Heading>
      {children}
      <div className="empty-actions">
        {actions
          .filter((action) => action !== false)
          .map(({ label, to }, index) => {
            const kind = index === 0 ? 'action primary' : 'action';
            return typeof to === 'string' ? (
              <Link key={label} href={to} className={kind}>
                {label}
              </Link>
            ) : (
              <button key={label} type="button" className={kind} onClick={to}>
                {label}
              </button>
            );
          })}
      </div>
    </section>
  );
}
