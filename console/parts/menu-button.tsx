import { type ReactNode, useRef, useState } from 'react';
import { lazily } from './lazily.js';
import type { MenuGroup } from './menu-entry.js';

interface Props {
  /** The name of the button and its menu. */
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly placement?: 'bottom start' | 'bottom end' | 'top end';
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

const PoppedMenu = lazily(() => import('./popped-menu.js').then((module) => module.PoppedMenu));

/** A button with a menu. The menu is by React Aria, which is loaded with the first one. */
export function MenuButton({ label, groups, placement = 'bottom end', className, title, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        title={title}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={PoppedMenu.preload}
        onFocus={PoppedMenu.preload}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {isOpen && (
        <PoppedMenu
          label={label}
          trigger={trigger}
          groups={groups}
          placement={placement}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

MenuButton.preload = PoppedMenu.preload;
