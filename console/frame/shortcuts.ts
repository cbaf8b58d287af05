import { useEffect, useRef } from 'react';

export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const KEY = 'zonewright.shortcuts';
const SECOND = 1000;

export const areShortcutsOn = (): boolean => localStorage.getItem(KEY) !== 'off';
export const switchShortcuts = (on: boolean): void => localStorage.setItem(KEY, on ? 'on' : 'off');

/** Single-key shortcuts, disabled in inputs and dialogs; `g z` is a key sequence. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    let first = { key: '', at: 0 };
    const press = (event: KeyboardEvent): void => {
      if (!areShortcutsOn() || isForSomethingElse(event)) return;
      const isSecond = event.timeStamp - first.at < SECOND && `${first.key} ${event.key}` in current.current;
      const key = isSecond ? `${first.key} ${event.key}` : event.key;
      first = { key: event.key, at: event.timeStamp };
      const act = current.current[key];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Ctrl+K also works in inputs, but not in dialogs, which would lose their content. */
export function useCommandKey(open: () => void): void {
  const current = useRef(open);
  useEffect(() => {
    current.current = open;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (document.querySelector('[role=dialog], [data-loading-dialog]') !== null) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function isForSomethingElse(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  // A dialog is about to take the keys.
  if (document.querySelector('[data-loading-dialog]') !== null) return true;
  if (!(target instanceof Element)) return false;
  return target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]') !== null;
}
