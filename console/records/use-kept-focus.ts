import { type RefObject, useEffect } from 'react';

/**
 * Gives the focus back when its element disappears: to the current row, or else to the search. Buttons vanish with
 * their row, their bar or their dialog, and the browser then starts again at the top of the page.
 */
export function useKeptFocus(section: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    let frame = 0;
    const isLost = (): boolean => document.activeElement === document.body && last !== null && !last.isConnected;
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof Element) last = target;
    };
    // A click outside of all controls takes the focus away on purpose.
    const forget = (): void => {
      if (document.activeElement === document.body) last = null;
    };
    const restore = (): void => {
      if (!isLost() || document.querySelector('[role=dialog], [role=menu]') !== null) return;
      const row = section.current?.querySelector<HTMLElement>('.rows > [role=row][tabindex="0"]');
      if (row?.checkVisibility() === true) row.focus({ preventScroll: true });
      else section.current?.querySelector<HTMLElement>('input[type=search]')?.focus({ preventScroll: true });
    };
    const watch = (): void => {
      if (frame !== 0 || !isLost()) return;
      // Dialogs and menus give the focus back within a frame themselves.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          frame = 0;
          restore();
        });
      });
    };
    const observer = new MutationObserver(watch);
    document.addEventListener('focusin', note);
    document.addEventListener('click', forget, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('click', forget, true);
    };
  }, [section]);
}
