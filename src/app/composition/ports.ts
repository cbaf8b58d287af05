import type { Type } from '@nestjs/common';
import { Authenticator } from '../../auth/authenticator.js';
import { type AbstractClass, fill, type FilledPort } from '../../plugins/plugin.js';
import { NoRecordLimits, RecordLimits } from '../../records/record-limits.js';
import { ExportLimits, NoExportLimits } from '../../zone-files/export/export-limits.js';
import { ImportLimits, NoImportLimits } from '../../zone-files/import/import-limits.js';
import { ChangeLimits, NoChangeLimits } from '../../zones/changes/change-limits.js';
import { NoZoneLimits, ZoneLimits } from '../../zones/zone-limits.js';
import { NoZoneNameRules, ZoneNameRules } from '../../zones/names/zone-name-rules.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import { Claims, isBuiltIn, refusal } from './claims.js';
import type { Loaded } from './loaded.js';
import * as joined from './joined-limits.js';
import type { Guard } from './guard.js';
import * as guarded from './plugin-ports.js';

/** A port, and who answers its question. */
export interface BoundPort extends FilledPort {
  /** Where a plugin of another team does: what stands between it and the core. */
  readonly foreign?: ForeignFiller;
}

export interface ForeignFiller {
  readonly plugin: string;
  /** Waits for the plugin no longer than it may. */
  readonly guarded: Guarded;
  /** Asks the service's own filler as well. */
  readonly joined: { readonly filler: Type; readonly with: Join } | null;
}

type Guarded = new (filler: never, guard: Guard) => object;
type Join = new (ours: never, theirs: never) => object;

interface OpenPort {
  readonly port: AbstractClass;
  readonly guarded: Guarded;
  /** Only where it limits something: then both limits hold. */
  readonly joined?: Join;
}

/** What plugins may fill. */
const PORTS: readonly OpenPort[] = [
  { port: Authenticator, guarded: guarded.GuardedAuthenticator },
  { port: ZoneLimits, guarded: guarded.GuardedZoneLimits, joined: joined.JoinedZoneLimits },
  { port: RecordLimits, guarded: guarded.GuardedRecordLimits, joined: joined.JoinedRecordLimits },
  { port: ExportLimits, guarded: guarded.GuardedExportLimits, joined: joined.JoinedExportLimits },
  { port: ImportLimits, guarded: guarded.GuardedImportLimits, joined: joined.JoinedImportLimits },
  { port: ChangeLimits, guarded: guarded.GuardedChangeLimits, joined: joined.JoinedChangeLimits },
  { port: ZoneNameRules, guarded: guarded.GuardedZoneNameRules, joined: joined.JoinedZoneNameRules },
  { port: ZonePublication, guarded: guarded.GuardedZonePublication },
];

/**
 * One filler for each port. Beside ours one other plugin may answer: limits of both hold, unless its are to hold alone, and of
 * other ports it takes the place of ours.
 * @throws ConfigError for what is no port, and for a port that two plugins would fill
 */
export function joinPorts(filled: readonly Loaded<FilledPort>[]): BoundPort[] {
  const claims = new Claims('port');
  const own = filled.filter(({ plugin }) => isBuiltIn(plugin)).map(({ part }) => part);
  const foreign = filled
    .filter(({ plugin }) => !isBuiltIn(plugin))
    .map(({ plugin, part }): BoundPort => {
      const open = PORTS.find(({ port }) => port === part.port);
      if (open === undefined) throw refusal(plugin, `${part.port.name} is not a port of Zonewright`);
      claims.claim(plugin, part.port.name);
      const ours = own.find(({ port }) => port === part.port);
      const isJoined = ours !== undefined && open.joined !== undefined && part.isAlone !== true;
      const join = isJoined ? { filler: ours.filler, with: open.joined } : null;
      return { ...part, foreign: { plugin: plugin.name, guarded: open.guarded, joined: join } };
    });
  return [...own.filter(({ port }) => !foreign.some((other) => other.port === port)), ...foreign];
}

const NO_LIMITS = [
  fill(ZoneLimits, NoZoneLimits),
  fill(RecordLimits, NoRecordLimits),
  fill(ExportLimits, NoExportLimits),
  fill(ImportLimits, NoImportLimits),
  fill(ChangeLimits, NoChangeLimits),
  fill(ZoneNameRules, NoZoneNameRules),
];

/** The same for an operator at the command line, who is not held to limits. */
export function liftLimits(filled: readonly Loaded<FilledPort>[]): BoundPort[] {
  return joinPorts(filled).map((own) => NO_LIMITS.find(({ port }) => port === own.port) ?? own);
}
