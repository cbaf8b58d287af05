import { type Debugger, Session } from 'node:inspector';

/** Where the main thread is. */
export interface Location {
  /** `checkFor (file:///…/limits.js:12)` */
  readonly at: string;
  /** What `ownerOf` says of the innermost frames. */
  readonly owner: string | null;
}

/** How long the thread may take to stop, in milliseconds; one that runs no JavaScript does not. */
const TIME_LIMIT = 5000;

/**
 * Looks from another thread what the main thread is busy with: the debugger stops it for a moment in the middle of its loop.
 * There is no port that anybody could connect to.
 */
export class StackSampler {
  /**
   * @param expression is evaluated there
   * @param ownerOf is given the URLs of the stack, the innermost first
   * @returns `null` where it runs no JavaScript
   */
  look(expression: string, ownerOf: (urls: readonly string[]) => string | null): Promise<Location | null> {
    return new Promise((resolve) => {
      const session = new Session();
      const urls = new Map<string, string>();
      const finish = (found: Location | null): void => {
        clearTimeout(timer);
        // Only when nothing is under way: to disconnect lets the thread go on, too.
        session.disconnect();
        resolve(found);
      };
      const timer = setTimeout(() => finish(null), TIME_LIMIT);
      session.connectToMainThread();
      session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
      session.on('Debugger.paused', ({ params: { callFrames } }) => {
        session.post('Runtime.evaluate', { expression }, () => {
          session.post('Debugger.resume', () => finish(locationOf(callFrames, urls, ownerOf)));
        });
      });
      session.post('Debugger.enable', () => session.post('Debugger.pause'));
    });
  }
}

function locationOf(
  frames: readonly Debugger.CallFrame[],
  urls: ReadonlyMap<string, string>,
  ownerOf: (urls: readonly string[]) => string | null,
): Location | null {
  const [innermost] = frames;
  if (innermost === undefined) return null;
  const urlOf = ({ location: { scriptId } }: Debugger.CallFrame): string => urls.get(scriptId) ?? '';
  const name = innermost.functionName === '' ? 'a function' : innermost.functionName;
  const at = `${name} (${urlOf(innermost)}:${innermost.location.lineNumber + 1})`;
  return { at, owner: ownerOf(frames.map(urlOf)) };
}
