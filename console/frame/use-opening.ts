import { useSearchParams } from 'wouter';

/** The state of a history entry that opened a dialog, so that the entry before it is the same page without the dialog. */
const OPENED = 'dialog';
let isGoingBack = false;

/**
 * A dialog that the address contains as these parameters. Opening it adds an entry to the history of the browser: Back
 * closes the dialog. Closing it goes back, or removes the parameters where a link led to the dialog.
 */
export function useOpening<Name extends string>(...names: readonly Name[]) {
  const [query, setQuery] = useSearchParams();
  const others = (before: URLSearchParams): [string, string][] =>
    [...before].filter(([name]) => !names.some((one) => one === name));
  const open = (values: Readonly<Partial<Record<Name, string>>>): void => {
    const { history } = window;
    // Going back leaves the page where it is: a new record may have scrolled into view.
    history.scrollRestoration = 'manual';
    setQuery((before) => [...others(before), ...Object.entries<string>(values as Record<string, string>)], {
      state: OPENED,
    });
    history.scrollRestoration = 'auto';
    window.addEventListener('popstate', () => (history.scrollRestoration = 'auto'), { once: true });
  };
  const close = (): void => {
    if (window.history.state !== OPENED) setQuery(others, { replace: true });
    else if (!isGoingBack) {
      isGoingBack = true;
      window.addEventListener('popstate', () => (isGoingBack = false), { once: true });
      window.history.back();
    }
  };
  const values = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<Name, string>;
  return { values, open, close };
}
