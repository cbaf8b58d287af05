/** What other teams may import, and docs/extending/ explains. What is not here may change without notice. */

// Plugins, and the programs that run with them.
export { compose, composeConfigured } from './app/composition/compose.js';
export type { Composition } from './app/composition/composition.js';
export { type RunningService, startService } from './app/server.js';
export { runCommandLine } from './cli/program.js';
export * from './plugins/change-listener.js';
export * from './plugins/command.js';
export {
  exampleConfiguration,
  type OptionValues,
  type PluginOption,
  type PluginOptions,
  type WithOptions,
} from './plugins/plugin.js';
export * from './plugins/plugin.js';

// Configuration.
export { loadConfig } from './app/composition/built-in-options.js';
export type {
  ApiConfig,
  JwtConfig,
  KeystoneConfig,
  MdnsConfig,
  QuotaDefaults,
  RateLimitsConfig,
  SoaTimers,
  WebhooksConfig,
} from './app/composition/built-in-options.js';
export type { AuthStrategy } from './auth/auth.options.js';
export type { Config } from './config/config.js';
export { ConfigError, type ConfigSource } from './config/load-config.js';
export type { Option } from './config/option.js';
export * as readers from './config/readers.js';
export type { Environment } from './config/settings.js';
export type { NetworkAccess, NotifiedServer, TsigKey } from './publishing/publishing-readers.js';

// Record types.
export * as fields from './dns/rdata/fields.js';
export { DomainName, NameError } from './dns/name.js';
export type { OwnerRule } from './dns/owner-name.js';
export type { Field, Fields, NamesOf, Values } from './dns/rdata/field.js';
export type { ExclusiveValue, NeededType, Placement, ZoneRole } from './dns/rdata/placement.js';
export { INTERFACE_TYPES, RecordTypes, STANDARD_TYPES } from './dns/rdata/index.js';
export { RdataError } from './dns/rdata/rdata-error.js';
export { type DataField, type RecordType, recordType, type RecordTypeDefinition } from './dns/rdata/record-type.js';
export type { Token, TokenReader } from './dns/rdata/tokens.js';
export type { WireReader } from './dns/message/wire.js';
export type { WireWriter } from './dns/message/wire.js';

// Ports, and what fills them without doing anything.
export { Authenticator, type Identity } from './auth/authenticator.js';
export { KeyToken, TokenFailure, type TokenKeyForm, type TokenKeyPair } from './dns/dnssec/key-token.js';
export { type GrowthCheck, NoRecordLimits, type RecordGrowth, RecordLimits } from './records/record-limits.js';
export { ExportLimits, NoExportLimits } from './zone-files/export/export-limits.js';
export { ImportLimits, NoImportLimits } from './zone-files/import/import-limits.js';
export { ChangeLimits, type ChangeOrigin, NoChangeLimits } from './zones/changes/change-limits.js';
export { NoZoneNameRules, ZoneNameRules } from './zones/names/zone-name-rules.js';
export { NoZoneLimits, ZoneLimits } from './zones/zone-limits.js';
export {
  type PublicationStatus,
  PublishedAtOnce,
  ZonePublication,
  type ZoneRowsSql,
} from './zones/zone-publication.js';

// Services, and what they take and return.
export {
  readRecordContent,
  type RecordContent,
  type RecordFields,
  type RecordUpdate,
} from './records/record-content.js';
export type { Expectation } from './records/changes/record-operation.js';
export type { RecordEntity } from './records/record.entity.js';
export type { RecordFilter, RecordSearch, RecordView } from './records/record.repository.js';
export type { SearchClient } from './common/waiting/search-turns.js';
export { RecordsService } from './records/records.service.js';
export type { ChangeHook } from './zones/changes/change-hook.js';
export { FINDING_KINDS, type FindingContent, type FindingKind, type PlanFinding } from './records/plan-findings.js';
export { ZoneCheckService, type ZoneFinding } from './zone-files/zone-check.service.js';
export { ZoneExportService } from './zone-files/export/zone-export.service.js';
export { type ZoneFile, zoneFileOf } from './zone-files/zone-file.js';
export {
  type ImportCounts,
  type ImportFinding,
  type ImportRepair,
  type ImportRequest,
  type Repair,
  type RepairKind,
  ZoneImportService,
} from './zone-files/import/zone-import.service.js';
export type { Labels } from './common/labels.js';
export type { NewSecondaryZone, NewZone, ZoneAttributes, ZoneUpdate } from './zones/zone-fields.js';
export type { ZoneEntity, ZoneType } from './zones/zone.entity.js';
export type { OwnedZone } from './zones/zone.repository.js';
export type { CreateOptions } from './zones/zone-creator.js';
export type { ZoneExpectation } from './zones/zone-updater.js';
export { ZonesService } from './zones/zones.service.js';

// The database: one way to write, one to read.
export { BYTEWISE, bytewiseOn } from './database/statements/bytewise.js';
export type { EntityClass, MigrationClass, Schema } from './database/schema/schema.js';
export type { SqlValue } from './database/transaction.js';
export { ManyStatement, Statement } from './database/statements/statement.js';
export { entityManagerOf, type Transaction } from './database/transaction.js';
export type { Outcome, WorkScope } from './database/unit-of-work.js';
export { PluginReads as Reads } from './plugins/calls/plugin-transactions.js';
export { PluginUnitOfWork as UnitOfWork } from './plugins/calls/plugin-transactions.js';

// What operators see of a plugin.
export { Histogram, secondsSince, type HistogramValues } from './observability/metrics.js';
export type { MetricValue, Measured } from './observability/metrics.js';
export { type Sharing, showGauge } from './observability/metrics.js';
export { type Count, Counter } from './observability/metrics.js';
export { HealthCheck, type NamedHealthCheck } from './plugins/plugin.js';

// Callers, time, errors, and what controllers need.
export { AdminOnly, Public } from './auth/access.decorators.js';
export { operatorFor } from './cli/operator.js';
export type { Caller } from './common/caller.js';
export { Clock, formatInstant, type Instant } from './common/clock.js';
export type { Page } from './common/collection-query.js';
export {
  because,
  REFUSAL_REASONS,
  type RefusalFacts,
  type RefusalParam,
  type RefusalReason,
} from './common/refusal-facts.js';
export type { Action, Restrictions } from './common/caller.js';
export {
  type ErrorCode,
  type FieldError,
  type FieldValidator,
  type RareErrorCode,
  ServiceError,
  type SharedErrorCode,
} from './common/service-error.js';
export { callerIn, CurrentCaller } from './http/decorators.js';
