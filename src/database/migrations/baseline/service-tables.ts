export const SERVICE_TABLES = `
CREATE TABLE tokens (
  id varchar(36) COLLATE "C" NOT NULL, hash varchar(64) COLLATE "C" NOT NULL,
  tenant_id varchar(255) COLLATE "C" NOT NULL, roles varchar(255) NOT NULL, description varchar(160),
  created_at bigint NOT NULL, expires_at bigint, revoked_at bigint, parent_id varchar(36) COLLATE "C",
  restrictions text, last_used_at bigint, last_used_from varchar(64), made_by_user varchar(255) COLLATE "C",
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX tokens_hash ON tokens (hash);
CREATE INDEX tokens_in_order ON tokens (created_at, id);
CREATE INDEX tokens_made ON tokens (tenant_id, parent_id);
CREATE INDEX tokens_of_users ON tokens (tenant_id, made_by_user, created_at, id) WHERE made_by_user IS NOT NULL;
CREATE INDEX tokens_parent ON tokens (parent_id);
CREATE INDEX tokens_tenant ON tokens (tenant_id, created_at, id);

CREATE TABLE sessions (
  digest varchar(64) COLLATE "C" NOT NULL, holder varchar(64) COLLATE "C" NOT NULL, credential text NOT NULL,
  created_at bigint NOT NULL, ends_at bigint NOT NULL, latest_end bigint NOT NULL,
  CONSTRAINT sessions_key PRIMARY KEY (digest)
);
CREATE INDEX sessions_by_end ON sessions (ends_at);
CREATE INDEX sessions_of_holder ON sessions (holder, created_at);

CREATE TABLE quotas (
  tenant_id varchar(255) COLLATE "C" NOT NULL, zones integer, zone_recordsets integer, zone_records integer,
  recordset_records integer, api_export_size integer, PRIMARY KEY (tenant_id)
);

CREATE TABLE audit_entries (
  at bigint NOT NULL, id varchar(36) COLLATE "C" NOT NULL, number bigint NOT NULL,
  action varchar(32) COLLATE "C" NOT NULL, owner_id varchar(255) COLLATE "C",
  tenant_id varchar(255) COLLATE "C" NOT NULL, token_id varchar(36) COLLATE "C", user_name varchar(255) COLLATE "C",
  address varchar(64) COLLATE "C", request_id varchar(64) NOT NULL, zone_id varchar(36) COLLATE "C",
  zone_name varchar(255), change_id varchar(36), serial bigint, subject_id varchar(255), subject_name varchar(255),
  details text, CONSTRAINT audit_entries_key PRIMARY KEY (at, id, number)
) WITHOUT ROWID;

CREATE TABLE kept_answers (
  tenant_id varchar(255) COLLATE "C" NOT NULL, request_key varchar(255) COLLATE "C" NOT NULL,
  fingerprint varchar(64) COLLATE "C" NOT NULL, status integer NOT NULL, content_type varchar(64) NOT NULL,
  body text NOT NULL, location text, kept_at bigint NOT NULL, octets integer NOT NULL DEFAULT 0,
  CONSTRAINT kept_answers_key PRIMARY KEY (tenant_id, request_key)
);
CREATE INDEX kept_answers_by_time ON kept_answers (kept_at);
CREATE INDEX kept_answers_of_tenant ON kept_answers (tenant_id, kept_at, octets);

CREATE TABLE plugins (
  name varchar(63) COLLATE "C" NOT NULL, record_types text NOT NULL, tables text NOT NULL, PRIMARY KEY (name)
);

CREATE TABLE change_listeners (
  name varchar(63) COLLATE "C" NOT NULL, seen_at bigint NOT NULL, PRIMARY KEY (name)
);

CREATE TABLE listener_places (
  listener varchar(63) COLLATE "C" NOT NULL, zone_id varchar(36) COLLATE "C" NOT NULL, number bigint NOT NULL,
  CONSTRAINT listener_places_key PRIMARY KEY (listener, zone_id)
) WITHOUT ROWID;

CREATE TABLE listener_processes (
  holder varchar(255) COLLATE "C" NOT NULL, listeners text NOT NULL, failing text NOT NULL,
  renewals bigint NOT NULL, PRIMARY KEY (holder)
);

CREATE TABLE listener_shards (
  listener varchar(63) COLLATE "C" NOT NULL, shard integer NOT NULL, holder varchar(255) COLLATE "C" NOT NULL,
  CONSTRAINT listener_shards_key PRIMARY KEY (listener, shard)
);

CREATE TABLE webhooks (
  id varchar(36) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL, url text NOT NULL,
  description varchar(160), enabled integer NOT NULL, disabled_because varchar(16) COLLATE "C", domains text,
  actions text, secret varchar(80) COLLATE "C" NOT NULL, former_secret varchar(80) COLLATE "C", former_until bigint,
  overflowed_at bigint, created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id, id);

CREATE TABLE webhook_events (
  event_id varchar(64) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL, octets integer NOT NULL,
  content text NOT NULL, PRIMARY KEY (event_id)
);
CREATE INDEX webhook_events_of_tenant ON webhook_events (tenant_id, event_id, octets);

CREATE TABLE webhook_deliveries (
  id varchar(36) COLLATE "C" NOT NULL, webhook_id varchar(36) COLLATE "C" NOT NULL,
  zone_id varchar(36) COLLATE "C" NOT NULL, number bigint NOT NULL, event_id varchar(64) COLLATE "C" NOT NULL,
  event_type varchar(64) COLLATE "C" NOT NULL, status varchar(9) COLLATE "C" NOT NULL, attempts integer NOT NULL,
  retry_until bigint NOT NULL, answer integer, fault varchar(160), created_at bigint NOT NULL, attempted_at bigint,
  settled_at bigint NOT NULL, octets integer NOT NULL DEFAULT 0, PRIMARY KEY (id)
);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (webhook_id, status, id, octets);
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (status, settled_at);
CREATE UNIQUE INDEX webhook_deliveries_key ON webhook_deliveries (webhook_id, zone_id, number);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, webhook_id) WHERE status <> 'delivered';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, zone_id, number) WHERE status = 'waiting';

CREATE TABLE webhook_queues (
  webhook_id varchar(36) COLLATE "C" NOT NULL, zone_id varchar(36) COLLATE "C" NOT NULL, next_at bigint NOT NULL,
  claim varchar(36) COLLATE "C", CONSTRAINT webhook_queues_key PRIMARY KEY (webhook_id, zone_id)
);
CREATE INDEX webhook_queues_due ON webhook_queues (next_at, webhook_id, zone_id);

CREATE TABLE webhook_usage (
  webhook_id varchar(36) COLLATE "C" NOT NULL, waiting integer NOT NULL DEFAULT 0, dead integer NOT NULL DEFAULT 0,
  octets bigint NOT NULL DEFAULT 0, deleted integer NOT NULL DEFAULT 0, PRIMARY KEY (webhook_id)
);
CREATE INDEX webhook_usage_of_deleted ON webhook_usage (webhook_id) WHERE deleted = 1;

CREATE TABLE webhook_tenants (
  tenant_id varchar(255) COLLATE "C" NOT NULL, octets bigint NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id)
);

CREATE TABLE event_log (
  tenant_id varchar(255) COLLATE "C" NOT NULL, position bigint NOT NULL, zone_id varchar(36) COLLATE "C" NOT NULL,
  first_number bigint NOT NULL, entries bigint NOT NULL, at bigint NOT NULL, publication text,
  CONSTRAINT event_log_key PRIMARY KEY (tenant_id, position)
) WITHOUT ROWID;
CREATE INDEX event_log_times ON event_log (at);
CREATE UNIQUE INDEX event_log_zones ON event_log (tenant_id, zone_id, first_number);

CREATE TABLE event_log_tenants (
  tenant_id varchar(255) COLLATE "C" NOT NULL, last_position bigint NOT NULL,
  CONSTRAINT event_log_tenants_key PRIMARY KEY (tenant_id)
) WITHOUT ROWID;
`;
