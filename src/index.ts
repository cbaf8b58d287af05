/** What other teams may import: the graph, and the doors through which they add to it. */
export { AppModule } from './app.module.js';
export { createApplication } from './application.js';
export { Authenticator, type Identity } from './auth/authenticator.js';
export { Clock, type Instant } from './common/clock.js';
export { type ErrorCode, type FieldError, ServiceError } from './common/service-error.js';
export type { Config } from './config/config.js';
export { ConfigError, loadConfig } from './config/load-config.js';
export { INTERFACE_TYPES, STANDARD_TYPES } from './dns/rdata/index.js';
export { RdataError, type RecordType, recordType } from './dns/rdata/record-type.js';
export { DomainLimits, NoDomainLimits } from './domains/domain-limits.js';
export { NoRecordLimits, type RecordGrowth, RecordLimits } from './records/record-limits.js';
export { type RunningService, startService } from './server.js';
