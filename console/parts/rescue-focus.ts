/** Time in which a closed dialog gives the focus back, in ms. */
const RESTORED_WITHIN = 100;

/** Moves the focus to the content of the page if the element that had it was removed. */
export function rescueFocus(): void {
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, RESTORED_WITHIN);
}
