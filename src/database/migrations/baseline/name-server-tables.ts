export const NAME_SERVER_TABLES = `
CREATE TABLE leases (
  name varchar(32) COLLATE "C" NOT NULL, holder varchar(255) COLLATE "C" NOT NULL, renewals bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE publications (
  zone_id varchar(36) COLLATE "C" NOT NULL, server varchar(64) COLLATE "C" NOT NULL, serial bigint,
  changed_at bigint, checked_at bigint, error varchar(255), failing_since bigint, refusing_since bigint,
  notified_serial bigint, inconsistency varchar(255), inconsistent_since bigint,
  CONSTRAINT publications_key PRIMARY KEY (zone_id, server)
) WITHOUT ROWID;

CREATE TABLE catalogs (
  id varchar(32) COLLATE "C" NOT NULL, name varchar(255) NOT NULL, member_group varchar(255),
  serial bigint NOT NULL, history_from bigint NOT NULL, PRIMARY KEY (id)
);

CREATE TABLE catalog_members (
  zone_id varchar(36) COLLATE "C" NOT NULL, name varchar(255) NOT NULL, added_serial bigint NOT NULL,
  removed_serial bigint, removed_at bigint, is_kept integer NOT NULL DEFAULT 0, PRIMARY KEY (zone_id)
) WITHOUT ROWID;
CREATE INDEX catalog_members_added ON catalog_members (added_serial);
CREATE INDEX catalog_members_kept ON catalog_members (name) WHERE is_kept = 1;
CREATE INDEX catalog_members_removed ON catalog_members (removed_at);
CREATE INDEX catalog_members_went ON catalog_members (removed_serial) WHERE removed_serial IS NOT NULL;

CREATE TABLE awaited_publications (
  zone_id varchar(36) COLLATE "C" NOT NULL, number bigint NOT NULL, serial bigint NOT NULL,
  changed_at bigint NOT NULL, first_number bigint NOT NULL, first_serial bigint NOT NULL,
  first_changed_at bigint NOT NULL, is_lagging integer NOT NULL, due_at bigint NOT NULL,
  CONSTRAINT awaited_publications_key PRIMARY KEY (zone_id)
) WITHOUT ROWID;
CREATE INDEX awaited_publications_due ON awaited_publications (due_at, zone_id);

CREATE TABLE zone_signing (
  zone_id varchar(36) COLLATE "C" NOT NULL, state varchar(12) COLLATE "C" NOT NULL,
  denial varchar(5) COLLATE "C" NOT NULL, algorithm integer NOT NULL, is_single_key integer NOT NULL,
  generation bigint NOT NULL, signed_version bigint, step bigint NOT NULL, keys_version bigint NOT NULL,
  next_due_at bigint, run_at bigint NOT NULL, halted_because varchar(255) COLLATE "C", state_since bigint NOT NULL,
  ready_at bigint, checked_at bigint NOT NULL, parent_due_at bigint, former_until bigint NOT NULL DEFAULT 0,
  folded_step bigint, PRIMARY KEY (zone_id)
);
CREATE INDEX zone_signing_checked ON zone_signing (checked_at, zone_id);
CREATE INDEX zone_signing_due ON zone_signing (next_due_at, zone_id);
CREATE INDEX zone_signing_parent_due ON zone_signing (parent_due_at, zone_id);

CREATE TABLE signed_sets (
  zone_id varchar(36) COLLATE "C" NOT NULL, generation bigint NOT NULL, owner_key varchar(765) COLLATE "C" NOT NULL,
  type integer NOT NULL, chain_key varchar(765) COLLATE "C", ttl integer NOT NULL,
  digest varchar(24) COLLATE "C" NOT NULL, rdatas text NOT NULL, signatures text NOT NULL,
  signed_by varchar(64) COLLATE "C" NOT NULL, expires_at bigint NOT NULL, due_at bigint NOT NULL,
  CONSTRAINT signed_sets_key PRIMARY KEY (zone_id, generation, owner_key, type)
) WITHOUT ROWID;
CREATE INDEX signed_sets_chain ON signed_sets (zone_id, generation, chain_key) WHERE chain_key IS NOT NULL;
CREATE INDEX signed_sets_due ON signed_sets (zone_id, generation, due_at);

CREATE TABLE signed_steps (
  zone_id varchar(36) COLLATE "C" NOT NULL, number bigint NOT NULL, serial_before bigint NOT NULL,
  serial bigint NOT NULL, octets integer NOT NULL, removed text NOT NULL, added text NOT NULL,
  CONSTRAINT signed_steps_key PRIMARY KEY (zone_id, number)
) WITHOUT ROWID;

CREATE TABLE zone_keys (
  id varchar(36) COLLATE "C" NOT NULL, zone_id varchar(36) COLLATE "C" NOT NULL,
  name_key varchar(255) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL,
  role varchar(3) COLLATE "C" NOT NULL, algorithm integer NOT NULL, tag integer NOT NULL, dnskey text NOT NULL,
  sealed text, sealed_with varchar(16) COLLATE "C", is_published integer NOT NULL, signs_keys integer NOT NULL,
  signs_zone integer NOT NULL, is_in_cds integer NOT NULL, created_at bigint NOT NULL, retired_at bigint,
  PRIMARY KEY (id)
);
CREATE INDEX zone_keys_of_name ON zone_keys (name_key, tenant_id);
CREATE UNIQUE INDEX zone_keys_tag ON zone_keys (zone_id, tag);

CREATE TABLE zone_rollovers (
  zone_id varchar(36) COLLATE "C" NOT NULL, id varchar(36) COLLATE "C" NOT NULL,
  kind varchar(9) COLLATE "C" NOT NULL, is_emergency integer NOT NULL, old_key_id varchar(36) COLLATE "C" NOT NULL,
  new_key_id varchar(36) COLLATE "C" NOT NULL, step varchar(8) COLLATE "C" NOT NULL, step_since bigint NOT NULL,
  publication_before bigint NOT NULL, proven_until bigint, ds_until bigint, PRIMARY KEY (zone_id)
);

CREATE TABLE zone_parents (
  zone_id varchar(36) COLLATE "C" NOT NULL, name_key varchar(255) COLLATE "C" NOT NULL, is_left integer NOT NULL,
  sight text NOT NULL, seen_at bigint NOT NULL, agreed_since bigint, ds_ttl bigint,
  notified_for varchar(24) COLLATE "C", mismatch_since bigint, PRIMARY KEY (zone_id)
);
CREATE INDEX zone_parents_left ON zone_parents (is_left);
CREATE INDEX zone_parents_mismatch ON zone_parents (mismatch_since);

CREATE TABLE update_keys (
  id varchar(36) COLLATE "C" NOT NULL, name varchar(255) COLLATE "C" NOT NULL,
  algorithm varchar(16) COLLATE "C" NOT NULL, secret varchar(255) NOT NULL,
  tenant_id varchar(255) COLLATE "C" NOT NULL, description varchar(160), restrictions text,
  created_at bigint NOT NULL, expires_at bigint, revoked_at bigint, changed_at bigint NOT NULL, PRIMARY KEY (id)
);
CREATE INDEX update_keys_changed ON update_keys (changed_at, id);
CREATE UNIQUE INDEX update_keys_name ON update_keys (name) WHERE revoked_at IS NULL;
CREATE INDEX update_keys_of_tenant ON update_keys (tenant_id, created_at, id);

CREATE TABLE update_answers (
  message varchar(64) COLLATE "C" NOT NULL, rcode integer NOT NULL, until bigint NOT NULL,
  CONSTRAINT update_answers_key PRIMARY KEY (message)
) WITHOUT ROWID;
CREATE INDEX update_answers_until ON update_answers (until);

CREATE TABLE tsig_keys (
  id varchar(36) COLLATE "C" NOT NULL, name varchar(160) NOT NULL, name_key varchar(160) COLLATE "C" NOT NULL,
  algorithm varchar(32) COLLATE "C" NOT NULL, secret varchar(255) NOT NULL, scope varchar(8) COLLATE "C" NOT NULL,
  resource_id varchar(36) COLLATE "C" NOT NULL, created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE UNIQUE INDEX tsig_keys_key ON tsig_keys (name_key);

CREATE TABLE pools (
  id varchar(36) COLLATE "C" NOT NULL, name varchar(255) COLLATE "C" NOT NULL, description varchar(160),
  ns_records text NOT NULL, project_id varchar(255), created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE UNIQUE INDEX pools_key ON pools (name);

CREATE TABLE service_statuses (
  id varchar(36) COLLATE "C" NOT NULL, service_name varchar(64) COLLATE "C" NOT NULL,
  hostname varchar(255) COLLATE "C" NOT NULL, status varchar(8) COLLATE "C" NOT NULL,
  heartbeated_at bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint, PRIMARY KEY (id)
);
CREATE UNIQUE INDEX service_statuses_key ON service_statuses (service_name, hostname);
`;
