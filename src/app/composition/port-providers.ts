import type { Provider } from '@nestjs/common';
import { PluginCalls } from '../../plugins/calls/plugin-calls.js';
import type { Guard } from './guard.js';
import type { BoundPort, ForeignFiller } from './ports.js';

/** What gives a port its filler. Between ours and the core there is nothing. */
export function providersOf({ port, filler, foreign }: BoundPort): Provider[] {
  if (foreign === undefined) return [{ provide: port, useClass: filler }];
  const { joined } = foreign;
  const made = (calls: PluginCalls, theirs: object, ours?: object): object => {
    const guarded = guard(foreign, port.name, calls, theirs);
    // Nest has made the fillers of this very port.
    return joined === null ? guarded : new joined.with(ours as never, guarded as never);
  };
  const ours = joined === null ? [] : [joined.filler];
  return [filler, ...ours, { provide: port, useFactory: made, inject: [PluginCalls, filler, ...ours] }];
}

function guard({ plugin, guarded }: ForeignFiller, port: string, calls: PluginCalls, filler: object): object {
  const { limits } = calls;
  const guard: Guard = { part: calls.partOf(plugin, port), limits };
  return new guarded(filler as never, guard);
}
