import type { spawn } from 'node:child_process';

export const spawnTied: typeof spawn;
export function endChildren(global: object): Promise<void>;
