import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { forkOnCore } from '../processes.mjs';

const DOWN = [0];
const CALM_MS = 3000;

/** Four stand-in name servers, the first of them down; `ports` are theirs, `primary` is that of the service. */
export async function startPool({ primary, ports }) {
  const child = forkOnCore(null, 'servers/stand-ins.mjs', []);
  const tell = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  await tell({ primary, ports });
  const has = async (message) => (await tell(message)).has;
  await has({ down: DOWN });
  return {
    /** How many zones each of them has. */
    has: () => has({}),
    bringUp: () => has({ down: [] }),
    bringDown: () => has({ down: DOWN }),
    isDown: (server) => DOWN.includes(server),
    /** To a file, and back from it, so that they go on with a database that was kept. */
    save: (file) => has({ save: file }),
    load: (file) => has({ load: file }),
    /** Until no server learns anything any more. */
    whenCalm: async () => {
      for (let before = ''; ;) {
        const now = String(await has({}));
        if (now === before) return;
        before = now;
        await delay(CALM_MS);
      }
    },
    end: () => child.kill('SIGKILL'),
  };
}
