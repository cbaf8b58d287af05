import { PREFIX } from '../api/prefix.js';
import { areAllKept } from '../changes/pending-store.js';
import { reloadPage } from './leaving.js';

const KEY = 'zonewright.reloaded';
const SCRIPT = /\/console\/assets\/[^"]+\.js/;

/** Whether the service has another version of this page, whose files have other names. */
export async function hasNewVersion(): Promise<boolean> {
  try {
    const answer = await fetch(`${PREFIX}/console/`, { cache: 'no-cache' });
    const [script = ''] = SCRIPT.exec(await answer.text()) ?? [];
    return answer.ok && script !== '' && !ownScript().endsWith(script);
  } catch {
    return false;
  }
}

/** Loads the new version, once for each version, unless the tab would lose something. */
export function reloadOnce(): boolean {
  const version = ownScript();
  if (sessionStorage.getItem(KEY) === version || !areAllKept() || document.querySelector('[role=dialog]') !== null)
    return false;
  sessionStorage.setItem(KEY, version);
  reloadPage();
  return true;
}

const ownScript = (): string => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
