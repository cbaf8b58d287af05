/** The marker in a link to the next page. */
export function markerIn(link: string | undefined): string | undefined {
  return link === undefined
    ? undefined
    : (new URL(link, window.location.origin).searchParams.get('marker') ?? undefined);
}
