import type { Provider, Type } from '@nestjs/common';
import { Authenticator } from '../../auth/authenticator.js';
import { allOf } from '../../common/all-of.js';
import type { Transaction } from '../../database/transaction.js';
import { KeyToken } from '../../dns/dnssec/key-token.js';
import { PluginCalls, scopeTransaction } from '../../plugins/calls/plugin-call.js';
import type { AbstractClass, FilledPort } from '../../plugins/plugin.js';
import { NoRecordLimits, RecordLimits } from '../../records/record-limits.js';
import { ExportLimits, NoExportLimits } from '../../zone-files/export/export-limits.js';
import { ImportLimits, NoImportLimits } from '../../zone-files/import/import-limits.js';
import { ChangeLimits, NoChangeLimits } from '../../zones/changes/change-limits.js';
import { NoZoneLimits, ZoneLimits } from '../../zones/zone-limits.js';
import { NoZoneNameRules, ZoneNameRules } from '../../zones/names/zone-name-rules.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import { Claims, isBuiltIn, refusal, type Loaded } from './plugin-checks.js';
import { type Guard, GuardedChange } from './guarded-change.js';

interface OpenPort {
  readonly port: AbstractClass;
  readonly methods: Readonly<Record<string, PortMethod<AnyMethod>>>;
  /** For an operator, who has no limits. */
  readonly unlimited?: Type;
}

interface PortMethod<Method> {
  /** A caller without an answer is refused (behaviour 16.7). */
  deadline(call: Method, guard: Guard): Method;
  /** Asks service and plugin; without it, the plugin replaces the service. */
  combine?(ours: Method, theirs: Method): Method;
}

type AnyMethod = (...values: never[]) => unknown;

const OPEN_PORTS: readonly OpenPort[] = [
  openPort(Authenticator, {
    identify: { deadline: requestDeadline(() => null) },
    recordUse: { deadline: synchronous },
  }),
  openPort(
    ZoneLimits,
    { assertZoneAllowed: { deadline: changeDeadline((tenantId) => tenantId), combine: inTurn } },
    NoZoneLimits,
  ),
  openPort(
    RecordLimits,
    {
      checkFor: {
        deadline: (call, guard) => {
          const bounded = changeDeadline<[string], Awaited<ReturnType<typeof call>>>((tenantId) => tenantId);
          return async (tx, tenantId) => synchronous(await bounded(call, guard)(tx, tenantId), guard);
        },
        combine: (ours, theirs) => async (tx, tenantId) => {
          const checks = await allOf([ours(tx, tenantId), theirs(tx, tenantId)]);
          return (growth) => checks.forEach((check) => check(growth));
        },
      },
    },
    NoRecordLimits,
  ),
  openPort(
    ExportLimits,
    { assertExportAllowed: { deadline: requestDeadline((tenantId) => tenantId), combine: inTurn } },
    NoExportLimits,
  ),
  openPort(
    ImportLimits,
    {
      maxRecords: {
        deadline: requestDeadline((tenantId) => tenantId),
        combine: (ours, theirs) => async (tenantId) => {
          const limits = [await ours(tenantId), await theirs(tenantId)].filter((limit) => limit !== null);
          return limits.length === 0 ? null : Math.min(...limits);
        },
      },
    },
    NoImportLimits,
  ),
  openPort(
    ChangeLimits,
    {
      run: {
        deadline: (run, guard) => (tenantId, change, origin) =>
          new GuardedChange(run, guard, { tenantId, origin }, change).run(),
        combine: (ours, theirs) => (tenantId, change, origin) =>
          ours(
            tenantId,
            (weighOurs) =>
              theirs(
                tenantId,
                (weighTheirs) =>
                  change((weight) => {
                    weighOurs(weight);
                    weighTheirs(weight);
                  }),
                origin,
              ),
            origin,
          ),
      },
    },
    NoChangeLimits,
  ),
  openPort(
    ZoneNameRules,
    { assertAllowed: { deadline: changeDeadline((_, caller) => caller.tenantId), combine: inTurn } },
    NoZoneNameRules,
  ),
  openPort(KeyToken, {
    makeKey: { deadline: requestDeadline(() => null) },
    findKey: { deadline: requestDeadline(() => null) },
    sign: { deadline: requestDeadline(() => null) },
    destroyKey: { deadline: requestDeadline(() => null) },
  }),
  openPort(ZonePublication, {
    statusSql: { deadline: synchronous },
    behindSql: { deadline: synchronous },
    failedSql: { deadline: synchronous },
    lacking: { deadline: changeDeadline(() => null) },
    abandon: { deadline: changeDeadline(() => null) },
  }),
];

/** Lets the compiler compare the rules with the port. */
function openPort<Port extends object>(
  port: AbstractClass<Port>,
  methods: { readonly [Name in keyof Port]-?: PortMethod<NonNullable<Port[Name]>> },
  unlimited?: Type<Port>,
): OpenPort {
  return { port, methods: methods as OpenPort['methods'], ...(unlimited !== undefined && { unlimited }) };
}

/** Runs in the transaction of a change. */
function changeDeadline<Values extends unknown[], Result>(tenantOf: (...values: Values) => string | null) {
  type Method = (tx: Transaction, ...values: Values) => Promise<Result>;
  return (call: Method, { part, limits }: Guard): Method =>
    (tx, ...values) =>
      scopeTransaction(tx, (scoped) => part.call(limits.change, tenantOf(...values), () => call(scoped, ...values)));
}

/** A request waits for it, outside of any transaction. */
function requestDeadline<Values extends unknown[], Result>(tenantOf: (...values: Values) => string | null) {
  type Method = (...values: Values) => Promise<Result>;
  return (call: Method, { part, limits }: Guard): Method =>
    (...values) =>
      part.call(limits.request, tenantOf(...values), () => call(...values));
}

/** Returns immediately. Only the watchdog can detect that it hangs. */
function synchronous<Values extends unknown[], Result>(call: (...values: Values) => Result, { part }: Guard) {
  return (...values: Values): Result => part.during(() => call(...values));
}

/** If the service refuses, the plugin is not asked. */
function inTurn<Values extends unknown[]>(
  ours: (...values: Values) => Promise<void>,
  theirs: (...values: Values) => Promise<void>,
) {
  return async (...values: Values): Promise<void> => {
    await ours(...values);
    await theirs(...values);
  };
}

export interface BoundPort extends FilledPort {
  /** Set for an external plugin. */
  readonly foreign?: ForeignFiller;
}

interface ForeignFiller {
  readonly plugin: string;
  readonly open: OpenPort;
  /** If the service is asked as well. */
  readonly ours: Type | null;
}

/**
 * Limits of an external plugin add to the service's own, unless it fills the port alone. Other ports it takes over.
 * @throws ConfigError for a class that is no port, and for a port with two plugins
 */
export function joinPorts(filled: readonly Loaded<FilledPort>[]): BoundPort[] {
  const claims = new Claims('port');
  const own = filled.filter(({ plugin }) => isBuiltIn(plugin)).map(({ part }) => part);
  const foreign = filled
    .filter(({ plugin }) => !isBuiltIn(plugin))
    .map(({ plugin, part }): BoundPort => {
      const open = OPEN_PORTS.find(({ port }) => port === part.port);
      if (open === undefined) throw refusal(plugin, `${part.port.name} is not a port of Zonewright`);
      claims.claim(plugin, part.port.name);
      const isCombined = open.unlimited !== undefined && part.isAlone !== true;
      const ours = isCombined ? own.find(({ port }) => port === part.port)?.filler : undefined;
      return { ...part, foreign: { plugin: plugin.name, open, ours: ours ?? null } };
    });
  return [...own.filter(({ port }) => !foreign.some((other) => other.port === port)), ...foreign];
}

/** For an operator at the command line. */
export function liftLimits(filled: readonly Loaded<FilledPort>[]): BoundPort[] {
  return joinPorts(filled).map((own) => {
    const { unlimited } = OPEN_PORTS.find(({ port }) => port === own.port) ?? {};
    return unlimited === undefined ? own : { port: own.port, filler: unlimited };
  });
}

/** Callers use the service's own filler directly. */
export function providersOf({ port, filler, foreign }: BoundPort): Provider[] {
  if (foreign === undefined) return [{ provide: port, useClass: filler }];
  const ours = foreign.ours === null ? [] : [foreign.ours];
  const create = (calls: PluginCalls, theirs: object, own?: object): object => bind(foreign, calls, theirs, own);
  return [filler, ...ours, { provide: port, useFactory: create, inject: [PluginCalls, filler, ...ours] }];
}

function bind({ plugin, open }: ForeignFiller, calls: PluginCalls, theirs: object, ours?: object): object {
  const guard: Guard = { part: calls.partOf(plugin, open.port.name), limits: calls.limits };
  const methods = Object.entries(open.methods).map(([name, method]) => {
    const guarded = method.deadline(methodOf(theirs, name), guard);
    return [name, (ours && method.combine?.(methodOf(ours, name), guarded)) ?? guarded];
  });
  const answering: object = Object.create(open.port.prototype as object) as object;
  return Object.assign(answering, Object.fromEntries(methods) as object);
}

/** A method that the filler leaves out does nothing. */
function methodOf(filler: object, name: string): AnyMethod {
  const method: unknown = Reflect.get(filler, name);
  return (...values) => (typeof method === 'function' ? (Reflect.apply(method, filler, values) as unknown) : undefined);
}
