/** Escape closes the open list of a select, where the page draws it, and not the dialog around it too. */
export function keepEscapeOfSelects(): void {
  if (!CSS.supports('selector(:open)')) return;
  document.addEventListener(
    'keydown',
    (event) => {
      const isInList = event.target instanceof Element && event.target.closest('select')?.matches(':open') === true;
      if (event.key === 'Escape' && isInList) event.stopPropagation();
    },
    true,
  );
}
