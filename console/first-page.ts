/** Begins to load the files of a screen while the page still asks for the session. @param path after /console */
export function loadFirstPage(path: string): void {
  for (const load of filesOf(path)) void load().catch(() => undefined);
}

type Load = () => Promise<unknown>;

function filesOf(path: string): readonly Load[] {
  if (path === '' || path === '/' || path === '/zones') return [() => import('./zones/zones-page.js')];
  if (path.startsWith('/sign-in')) return [() => import('./session/sign-in-page.js')];
  if (!path.startsWith('/zones/')) return [];
  const zone = (): Promise<unknown> => import('./zones/zone-screen.js');
  return path.endsWith('/records') ? [zone, () => import('./records/records-page.js')] : [zone];
}
