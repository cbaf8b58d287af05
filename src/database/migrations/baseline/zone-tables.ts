export const ZONE_TABLES = `
CREATE TABLE zones (
  id varchar(36) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL, name varchar(255) NOT NULL,
  name_key varchar(255) COLLATE "C" NOT NULL, email varchar(255) NOT NULL, ttl integer NOT NULL,
  description varchar(160), serial bigint NOT NULL, version bigint NOT NULL, record_count integer NOT NULL,
  record_set_count integer NOT NULL, changed_at bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint,
  generation text, type varchar(9) COLLATE "C" NOT NULL DEFAULT 'PRIMARY', masters text, attributes text,
  transferred_at bigint, apex_ns text, kept_fields text, published_version bigint, published_serial bigint,
  soa_ttl integer, CONSTRAINT "PK_05a6b087662191c2ea7f7ddfc4d" PRIMARY KEY (id)
);
CREATE INDEX zones_by_generation ON zones (hashtextextended(generation, 0)) WHERE type = 'PRIMARY';
CREATE UNIQUE INDEX zones_name_key ON zones (name_key);
CREATE INDEX zones_of_tenant ON zones (tenant_id, id);
CREATE INDEX zones_of_tenant_by_key ON zones (tenant_id, name_key);
CREATE INDEX zones_of_tenant_by_name ON zones (tenant_id, name COLLATE "C", id);
CREATE INDEX zones_of_tenant_by_prefix ON zones (tenant_id, lower(name COLLATE "C"), id);

CREATE TABLE tenants (
  id varchar(255) COLLATE "C" NOT NULL, zone_count integer NOT NULL, PRIMARY KEY (id)
);

CREATE TABLE last_serials (
  name_key varchar(255) COLLATE "C" NOT NULL, serial bigint NOT NULL, PRIMARY KEY (name_key)
) WITHOUT ROWID;

CREATE TABLE journal (
  zone_id varchar(36) COLLATE "C" NOT NULL, number bigint NOT NULL, change_id varchar(36) COLLATE "C" NOT NULL,
  record_id varchar(36) COLLATE "C", token_id varchar(36), user_name varchar(255), serial bigint NOT NULL,
  action varchar(32) NOT NULL, before text, after text, tenant_id varchar(255) NOT NULL,
  request_id varchar(64) NOT NULL, at bigint NOT NULL, former_name varchar(255) COLLATE "C",
  former_owner varchar(255) COLLATE "C", address varchar(64), message varchar(500), PRIMARY KEY (zone_id, number)
) WITHOUT ROWID;
CREATE INDEX journal_deleted_records ON journal (zone_id, record_id) WHERE action = 'record.delete';
CREATE INDEX journal_ends ON journal (zone_id, number) WHERE action = 'zone.delete';
CREATE INDEX journal_former_of_owner ON journal (former_owner, zone_id) WHERE action = 'zone.delete';
CREATE INDEX journal_former_zones ON journal (former_name, former_owner, zone_id) WHERE action = 'zone.delete';
CREATE INDEX journal_in_time ON journal (at, zone_id, number);
CREATE INDEX journal_transfers ON journal (zone_id, number) WHERE action = 'zone.transfer';

CREATE TABLE records (
  zone_id varchar(36) COLLATE "C" NOT NULL, id varchar(36) COLLATE "C" NOT NULL, name varchar(1020) NOT NULL,
  owner_key varchar(765) COLLATE "C" NOT NULL, type varchar(16) COLLATE "C" NOT NULL, data text NOT NULL,
  priority integer, ttl integer, description varchar(160), rdata text NOT NULL,
  fingerprint varchar(32) COLLATE "C" NOT NULL, version integer NOT NULL, created_at bigint NOT NULL,
  updated_at bigint, expires_at bigint, CONSTRAINT "PK_bef6f68802e45117746c1cdbd7b" PRIMARY KEY (zone_id, id)
) WITHOUT ROWID;
CREATE INDEX records_expiry ON records (expires_at, zone_id, id) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX records_fingerprint ON records (zone_id, owner_key, type, fingerprint);

CREATE TABLE record_sets (
  zone_id varchar(36) COLLATE "C" NOT NULL, owner_key varchar(765) COLLATE "C" NOT NULL,
  type varchar(16) COLLATE "C" NOT NULL, id varchar(36) COLLATE "C" NOT NULL, name varchar(1020) NOT NULL,
  ttl integer, description varchar(160), version bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint,
  record_count integer NOT NULL, octets integer NOT NULL, serial bigint, annotations text,
  PRIMARY KEY (zone_id, owner_key, type)
) WITHOUT ROWID;
CREATE UNIQUE INDEX record_sets_id ON record_sets (zone_id, id);

CREATE TABLE record_set_creators (
  zone_id varchar(36) COLLATE "C" NOT NULL, record_set_id varchar(36) COLLATE "C" NOT NULL,
  tenant_id varchar(255) COLLATE "C" NOT NULL,
  CONSTRAINT record_set_creators_key PRIMARY KEY (zone_id, record_set_id)
) WITHOUT ROWID;
CREATE INDEX record_set_creators_by_set ON record_set_creators (record_set_id);
CREATE INDEX record_set_creators_of_tenant ON record_set_creators (tenant_id, zone_id);

CREATE TABLE zone_shares (
  id varchar(36) COLLATE "C" NOT NULL, zone_id varchar(36) COLLATE "C" NOT NULL,
  target_tenant_id varchar(255) COLLATE "C" NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (id)
);
CREATE INDEX zone_shares_for_tenant ON zone_shares (target_tenant_id, zone_id);
CREATE UNIQUE INDEX zone_shares_key ON zone_shares (zone_id, target_tenant_id);

CREATE TABLE zone_transfer_requests (
  id varchar(36) COLLATE "C" NOT NULL, zone_id varchar(36) COLLATE "C" NOT NULL,
  tenant_id varchar(255) COLLATE "C" NOT NULL, target_tenant_id varchar(255) COLLATE "C",
  transfer_key varchar(8) NOT NULL, description varchar(160), status varchar(8) NOT NULL,
  created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE UNIQUE INDEX zone_transfer_requests_active ON zone_transfer_requests (zone_id) WHERE status = 'ACTIVE';
CREATE INDEX zone_transfer_requests_for_tenant ON zone_transfer_requests (target_tenant_id, created_at, id);
CREATE INDEX zone_transfer_requests_of_tenant ON zone_transfer_requests (tenant_id, created_at, id);

CREATE TABLE zone_transfer_accepts (
  id varchar(36) COLLATE "C" NOT NULL, request_id varchar(36) COLLATE "C" NOT NULL,
  zone_id varchar(36) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL, created_at bigint NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX zone_transfer_accepts_of_request ON zone_transfer_accepts (request_id);
CREATE INDEX zone_transfer_accepts_of_tenant ON zone_transfer_accepts (tenant_id, created_at, id);

CREATE TABLE incoming_zones (
  zone_id varchar(36) COLLATE "C" NOT NULL, holder varchar(255) NOT NULL, renewals integer NOT NULL,
  PRIMARY KEY (zone_id)
) WITHOUT ROWID;

CREATE TABLE zone_tasks (
  id varchar(36) COLLATE "C" NOT NULL, kind varchar(8) NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL,
  zone_id varchar(36) COLLATE "C", zone_version bigint, serial bigint, status varchar(8) NOT NULL,
  message varchar(1024), renewals bigint NOT NULL, version integer NOT NULL, created_at bigint NOT NULL,
  updated_at bigint, PRIMARY KEY (id)
);
CREATE INDEX zone_tasks_by_time ON zone_tasks (created_at);
CREATE INDEX zone_tasks_of_tenant ON zone_tasks (tenant_id, kind, created_at, id);
CREATE INDEX zone_tasks_pending ON zone_tasks (id) WHERE status = 'PENDING';

CREATE TABLE transfers_in (
  zone_id varchar(36) COLLATE "C" NOT NULL, due_at bigint NOT NULL, checked_at bigint, expires_at bigint,
  failing_since bigint, refused_since bigint, error varchar(255), PRIMARY KEY (zone_id)
) WITHOUT ROWID;
CREATE INDEX transfers_in_due ON transfers_in (due_at);

CREATE TABLE tlds (
  id varchar(36) COLLATE "C" NOT NULL, name varchar(255) NOT NULL, name_key varchar(255) COLLATE "C" NOT NULL,
  description varchar(160), created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE UNIQUE INDEX tlds_key ON tlds (name_key);

CREATE TABLE blacklists (
  id varchar(36) COLLATE "C" NOT NULL, pattern varchar(255) COLLATE "C" NOT NULL, description varchar(160),
  created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE UNIQUE INDEX blacklists_key ON blacklists (pattern);

CREATE TABLE zone_name_rules (
  id varchar(36) COLLATE "C" NOT NULL, state varchar(36) COLLATE "C" NOT NULL, PRIMARY KEY (id)
);
`;
