// Made from docs/openapi.json by `npm run console:types`.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        FieldErrorDto: {
            /**
             * @description The field, or an empty string for the whole object.
             * @example ttl
             */
            path: string;
            /** @example ttl must not be less than 1. */
            message: string;
            /**
             * @example minimum
             * @enum {string}
             */
            validator: "required" | "type" | "enum" | "format" | "maxLength" | "minimum" | "maximum" | "additionalProperties";
            /**
             * @description The validator, or a finer word.
             * @example minimum
             * @enum {string}
             */
            code: "required" | "type" | "enum" | "format" | "maxLength" | "minimum" | "maximum" | "additionalProperties" | "record_data" | "owner_name" | "unknown_type" | "soa_is_generated" | "type_is_fixed" | "set_too_large" | "time_is_over" | "duplicate_record" | "outside_domain" | "in_child_domain" | "not_at_apex" | "not_at_wildcard" | "not_beside" | "hidden_by" | "hides_others" | "only_one" | "stands_alone" | "changed_since" | "duplicate_domain" | "name_is_fixed" | "secondary_domain" | "domain_has_child_domains" | "domain_is_shared" | "covers_parent_records" | "holds_name_server" | "is_catalog" | "public_suffix" | "over_quota" | "rate_limited" | "token_limit" | "history_not_kept";
            /**
             * @description What the message says of this one case, so that programs can say it in words of their own.
             * @example {
             *       "minimum": 1
             *     }
             */
            params: {
                [key: string]: (string | number | string[]) | null;
            };
        };
        ErrorDto: {
            /** @example 400 */
            code: number;
            /**
             * @example invalid_object
             * @enum {string}
             */
            type: "access_denied" | "bad_request" | "delivery_not_found" | "dnssec_conflict" | "domain_has_sub_domain" | "domain_not_found" | "duplicate_domain" | "duplicate_record" | "duplicate_template" | "duplicate_update_key" | "empty_request_body" | "events_gone" | "headers_too_large" | "idempotency_key_reused" | "illegal_child" | "illegal_parent" | "invalid_json" | "invalid_object" | "invalid_recordset_location" | "invalid_ttl" | "method_not_allowed" | "not_found" | "over_quota" | "payload_too_large" | "precondition_failed" | "rate_limited" | "record_not_found" | "request_in_progress" | "request_timeout" | "serial_not_found" | "template_not_found" | "token_not_found" | "unavailable" | "unknown" | "unsupported_accept" | "unsupported_content_type" | "update_key_not_found" | "webhook_not_found";
            /**
             * @description A finer word than the type, where there is one, otherwise the type.
             * @example minimum
             */
            reason: string;
            /**
             * @description What the message says of this one case, so that programs can say it in words of their own.
             * @example {
             *       "minimum": 1
             *     }
             */
            params: {
                [key: string]: (string | number | string[]) | null;
            };
            /**
             * @description The fault and its remedy.
             * @example ttl must not be less than 1.
             */
            message: string;
            /** @description One entry for each field that is wrong. */
            errors?: components["schemas"]["FieldErrorDto"][];
            /** @example req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10 */
            request_id: string;
        };
        CreateTokenDto: {
            /**
             * @description It sees no others.
             * @example [
             *       "example.org."
             *     ]
             */
            domains?: string[];
            /**
             * @description Owner names; `*` stands for any characters.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names?: string[];
            /**
             * @example [
             *       "TXT"
             *     ]
             */
            types?: string[];
            /**
             * @description Of `create`, `update` and `delete`.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions?: string[];
            /**
             * @description Addresses and networks from which it may be used.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks?: string[];
            /**
             * @description `key` or `key=value`: it sees only domains that have all of these labels, at most 1000.
             * @example [
             *       "team=web"
             *     ]
             */
            labels?: string[];
            /** @example certificate of www */
            description?: string | null;
            /**
             * @example [
             *       "member"
             *     ]
             */
            roles?: string[];
            /** @example 2027-01-31T00:00:00Z */
            expires_at?: string | null;
        };
        NewTokenDto: {
            /** Format: uuid */
            id: string;
            /** @example acme */
            tenant_id: string;
            /**
             * @example [
             *       "member"
             *     ]
             */
            roles: string[];
            /** @example certificate of www */
            description: string | null;
            /**
             * @description Null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Null: any.
             * @example [
             *       "team=web"
             *     ]
             */
            labels: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "TXT"
             *     ]
             */
            types: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Null: from anywhere.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks: string[] | null;
            /**
             * Format: uuid
             * @description The token that it was made with.
             */
            made_by: string | null;
            /**
             * @description The user who made it with a credential of an issuer or of Keystone.
             * @example null
             */
            made_by_user: string | null;
            /** @example 2026-11-20T08:30:00.000000 */
            created_at: string;
            /** @example 2026-11-20T08:30:00.000000 */
            expires_at: string | null;
            /** @example 2026-11-20T08:30:00.000000 */
            revoked_at: string | null;
            /**
             * @description To within five minutes.
             * @example 2026-11-20T08:30:00.000000
             */
            last_used_at: string | null;
            /** @example 192.0.2.1 */
            last_used_from: string | null;
            /** @description It is shown only once. */
            token: string;
        };
        TokenDto: {
            /** Format: uuid */
            id: string;
            /** @example acme */
            tenant_id: string;
            /**
             * @example [
             *       "member"
             *     ]
             */
            roles: string[];
            /** @example certificate of www */
            description: string | null;
            /**
             * @description Null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Null: any.
             * @example [
             *       "team=web"
             *     ]
             */
            labels: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "TXT"
             *     ]
             */
            types: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Null: from anywhere.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks: string[] | null;
            /**
             * Format: uuid
             * @description The token that it was made with.
             */
            made_by: string | null;
            /**
             * @description The user who made it with a credential of an issuer or of Keystone.
             * @example null
             */
            made_by_user: string | null;
            /** @example 2026-11-20T08:30:00.000000 */
            created_at: string;
            /** @example 2026-11-20T08:30:00.000000 */
            expires_at: string | null;
            /** @example 2026-11-20T08:30:00.000000 */
            revoked_at: string | null;
            /**
             * @description To within five minutes.
             * @example 2026-11-20T08:30:00.000000
             */
            last_used_at: string | null;
            /** @example 192.0.2.1 */
            last_used_from: string | null;
        };
        TokenListDto: {
            tokens: components["schemas"]["TokenDto"][];
        };
        UsedTokenDto: {
            /** Format: uuid */
            id: string;
            /** @example certificate of www */
            description: string | null;
            /**
             * Format: uuid
             * @description The token that it was made with.
             */
            made_by: string | null;
        };
        CallerLimitsDto: {
            /**
             * @description Null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "TXT"
             *     ]
             */
            types: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Null: from anywhere.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks: string[] | null;
            /**
             * @description Null: any. `domains` has those with the labels.
             * @example [
             *       "team=web"
             *     ]
             */
            labels: string[] | null;
        };
        DnsUpdateFactsDto: {
            /**
             * @description Of `[service:mdns] listen`; `0.0.0.0` and `::` are all of a host.
             * @example 192.0.2.1
             */
            address: string;
            /** @example 53 */
            port: number;
        };
        ServiceFactsDto: {
            /**
             * @description Of the service itself.
             * @example [
             *       "ns1.example.net."
             *     ]
             */
            name_servers: string[];
            /**
             * @description Whether name servers are asked for the serials of domains.
             * @example true
             */
            publishes: boolean;
            /**
             * @description Of a new domain, in seconds.
             * @example 3600
             */
            default_ttl: number;
            /**
             * @description The lowest that is not for admins alone.
             * @example null
             */
            min_ttl: number | null;
            /**
             * @description Entries of one change set.
             * @example 1000
             */
            max_changes: number;
            /**
             * @description In octets.
             * @example 1048576
             */
            max_body_size: number;
            /**
             * @description Whether records may have `expires_at`.
             * @example false
             */
            expiring_records: boolean;
            /** @description Where DNS UPDATE is taken; `null`: nowhere. */
            dns_updates: components["schemas"]["DnsUpdateFactsDto"] | null;
            /**
             * @description Whether the PowerDNS API is on.
             * @example true
             */
            powerdns_api: boolean;
            /**
             * @description Whether the webhook of external-dns is on.
             * @example false
             */
            external_dns: boolean;
            /**
             * @description The Keystone server of OpenStack clients; `null`: it judges no tokens here, or version 2 is off.
             * @example https://keystone.example.org/v3
             */
            openstack_auth_url: string | null;
            /**
             * @description Whether `/docs` and the OpenAPI documents are there.
             * @example true
             */
            docs: boolean;
        };
        WhoamiDto: {
            /**
             * @description The tenant that the request acts for; null for a credential without one.
             * @example acme
             */
            tenant_id: string | null;
            /**
             * @description The user that the credential names.
             * @example null
             */
            user: string | null;
            /**
             * @example [
             *       "member"
             *     ]
             */
            roles: string[];
            /** @description Null: the credential is no stored token of ours. */
            token: components["schemas"]["UsedTokenDto"] | null;
            limits: components["schemas"]["CallerLimitsDto"];
            /**
             * @description Expiry of the credential, UTC; null: never, or unknown.
             * @example null
             */
            expires_at: string | null;
            /**
             * @description Extensions of version 1 that are on.
             * @example [
             *       "quotas",
             *       "webhooks"
             *     ]
             */
            extensions: string[];
            /**
             * @description The same of the admin API; none for others than admins.
             * @example []
             */
            admin_extensions: string[];
            service: components["schemas"]["ServiceFactsDto"];
        };
        IssuerDto: {
            /**
             * @description What the button says.
             * @example Example Login
             */
            name: string;
        };
        SignInWaysDto: {
            /**
             * @description By a token, sent to `POST /console/session`.
             * @example true
             */
            token: boolean;
            /**
             * @description By a user's name and password, sent there too.
             * @example false
             */
            keystone: boolean;
            /** @description At an issuer: `GET /console/oidc/start?return=…`. */
            oidc: components["schemas"]["IssuerDto"] | null;
        };
        SessionDto: {
            /** @example true */
            signed_in: boolean;
            /**
             * @description How.
             * @example token
             * @enum {string|null}
             */
            way: "token" | "keystone" | "oidc" | null;
            /**
             * @description What requests that change something have in `X-CSRF-Token`.
             * @example Yw3m0Tq1vB9gkU3m7cJ2fZr5xLqPz8sD4hN6aE1oRtI
             */
            csrf_token: string | null;
            /**
             * @description When it ends unless it is used before, UTC.
             * @example 2026-11-23T12:30:00.000000
             */
            ends_at: string | null;
            /**
             * @description When it ends however much it is used, UTC.
             * @example 2026-11-24T00:00:00.000000
             */
            latest_end: string | null;
            /** @description How one can sign in here. */
            ways: components["schemas"]["SignInWaysDto"];
        };
        SignInDto: {
            /** @example zw_6nV0p8rPzV7Zq7pXrLmN3bTq1wYcE5uJh2kD4sGfA9o */
            token?: string;
            /** @example alice */
            username?: string;
            /**
             * Format: password
             * @example a password
             */
            password?: string;
            /**
             * @description The project; without it, the user's.
             * @example dns
             */
            project?: string;
            /**
             * @description The Keystone domain of the user.
             * @example Default
             */
            user_domain?: string;
            /**
             * @description The one of the project.
             * @example Default
             */
            project_domain?: string;
        };
        SignedOutDto: {
            /**
             * @description Where the browser goes to sign out of the issuer too; null: nowhere.
             * @example null
             */
            sign_out_url: string | null;
        };
        DomainInUseDto: {
            /** Format: uuid */
            id: string;
            /** @example example.org. */
            name: string;
        };
        LimitInUseDto: {
            /**
             * @description `null`: no limit.
             * @example 500
             */
            limit: number | null;
            /**
             * @description `null`: not counted here.
             * @example 412
             */
            use: number | null;
        };
        LimitsInUseDto: {
            zones: components["schemas"]["LimitInUseDto"];
            /** @description Records of a domain. */
            zone_records: components["schemas"]["LimitInUseDto"];
            /** @description Record sets of a domain. */
            zone_recordsets: components["schemas"]["LimitInUseDto"];
            /** @description Records of a record set. */
            recordset_records: components["schemas"]["LimitInUseDto"];
            /** @description Records of a domain that is exported. */
            api_export_size: components["schemas"]["LimitInUseDto"];
        };
        UsageDto: {
            /**
             * @description Whose limits these are.
             * @example acme
             */
            tenant_id: string;
            domain: components["schemas"]["DomainInUseDto"] | null;
            quotas: components["schemas"]["LimitsInUseDto"];
        };
        TenantDto: {
            /** @example acme */
            tenant_id: string;
            /** @example 3 */
            domains: number;
        };
        LinksDto: {
            /**
             * @description This page.
             * @example http://127.0.0.1:9001/v1/domains?limit=20
             */
            self: string;
            /** @description The next page; absent on the last. */
            next?: string;
        };
        TenantListDto: {
            tenants: components["schemas"]["TenantDto"][];
            links: components["schemas"]["LinksDto"];
        };
        CreateDomainDto: {
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly id?: string | null;
            /** @description Ignored. */
            readonly created_at?: string | null;
            /** @description Ignored. */
            readonly updated_at?: string | null;
            /** @description Ignored. */
            readonly tenant_id?: string | null;
            /**
             * @description Absolute: it ends with a dot.
             * @example example.org.
             */
            name: string;
            /** @example hostmaster@example.org */
            email: string;
            /**
             * @description Seconds.
             * @example 3600
             */
            ttl?: number;
            /** @example Our public zone */
            description?: string | null;
            /**
             * @description NS of the apex in place of the generated ones; `null` or left out: the generated ones.
             * @example [
             *       "ns1.example.net.",
             *       "ns2.example.net."
             *     ]
             */
            name_servers?: string[] | null;
            /**
             * @description All of its labels.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
            /** @description Ignored: the service raises it. */
            readonly serial?: number | null;
            /**
             * @description The name of a template, whose records the domain gets.
             * @example null
             */
            template?: string | null;
        };
        DomainDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            id: string;
            /**
             * @description Absolute, as it was sent.
             * @example example.org.
             */
            name: string;
            /**
             * @description The mailbox of its administrator, for the SOA record.
             * @example hostmaster@example.org
             */
            email: string;
            /**
             * @description Seconds; for record sets that have no ttl of their own.
             * @example 3600
             */
            ttl: number;
            /**
             * @description Of the SOA record; every accepted change raises it.
             * @example 1763600000
             */
            serial: number;
            /** @example null */
            description: string | null;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string;
            /**
             * @description `null` until the domain is updated.
             * @example null
             */
            updated_at: string | null;
            /**
             * @description NS of the apex in place of the generated ones. Left out where the domain has those.
             * @example [
             *       "ns1.example.net.",
             *       "ns2.example.net."
             *     ]
             */
            name_servers?: string[];
            /**
             * @description Left out where there are none.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
        };
        SecondaryDto: {
            /**
             * @example [
             *       "192.0.2.53",
             *       "ns.example.net:5353"
             *     ]
             */
            primaries: string[];
            /**
             * @description When a primary last gave a new serial, UTC.
             * @example null
             */
            transferred_at: string | null;
            /**
             * @description Error of the last SOA query or transfer; `null`: none.
             * @example null
             */
            error: string | null;
        };
        ListedDomainDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            id: string;
            /**
             * @description Absolute, as it was sent.
             * @example example.org.
             */
            name: string;
            /**
             * @description The mailbox of its administrator, for the SOA record.
             * @example hostmaster@example.org
             */
            email: string;
            /**
             * @description Seconds; for record sets that have no ttl of their own.
             * @example 3600
             */
            ttl: number;
            /**
             * @description Of the SOA record; every accepted change raises it.
             * @example 1763600000
             */
            serial: number;
            /** @example null */
            description: string | null;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string;
            /**
             * @description `null` until the domain is updated.
             * @example null
             */
            updated_at: string | null;
            /**
             * @description NS of the apex in place of the generated ones. Left out where the domain has those.
             * @example [
             *       "ns1.example.net.",
             *       "ns2.example.net."
             *     ]
             */
            name_servers?: string[];
            /**
             * @description Left out where there are none.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description Only with `details=true`.
             * @example 412
             */
            record_count?: number;
            /**
             * @description Only with `details=true`: `published`: every name server has the serial; `pending`: not all of them; `failed`: one refuses it, or its masters do.
             * @example published
             * @enum {string}
             */
            publication?: "published" | "pending" | "failed";
            /**
             * @description Only with `details=true`: how far it is signed (DNSSEC); `insecure`: it is not.
             * @example secure
             * @enum {string}
             */
            dnssec?: "insecure" | "signing" | "proving" | "ready" | "secure" | "leaving" | "halted";
            /**
             * @description Only with `details=true`: the last change of anything in it, UTC.
             * @example 2026-11-20T08:30:00.123456
             */
            changed_at?: string;
            /** @description Only with `details=true`, of a secondary zone. */
            secondary?: components["schemas"]["SecondaryDto"];
            /**
             * @description Only with `details=true`, for admins.
             * @example acme
             */
            tenant_id?: string;
        };
        CountDto: {
            /**
             * @description Of all pages.
             * @example 412
             */
            total: number;
            /**
             * @description If false, there are more than `total`.
             * @example true
             */
            total_is_exact: boolean;
        };
        DomainListDto: {
            /** @description Only with `limit`. */
            links?: components["schemas"]["LinksDto"];
            domains: components["schemas"]["ListedDomainDto"][];
            /** @description Only with `count=true`. */
            count?: components["schemas"]["CountDto"];
        };
        UpdateDomainDto: {
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly id?: string | null;
            /** @description Ignored. */
            readonly created_at?: string | null;
            /** @description Ignored. */
            readonly updated_at?: string | null;
            /** @description Ignored. */
            readonly tenant_id?: string | null;
            /**
             * @description Absolute: it ends with a dot.
             * @example example.org.
             */
            name?: string;
            /** @example hostmaster@example.org */
            email?: string;
            /**
             * @description Seconds; 0 where the domain has that already.
             * @example 3600
             */
            ttl?: number;
            /** @example Our public zone */
            description?: string | null;
            /**
             * @description NS of the apex in place of the generated ones; `null` or left out: the generated ones.
             * @example [
             *       "ns1.example.net.",
             *       "ns2.example.net."
             *     ]
             */
            name_servers?: string[] | null;
            /**
             * @description All of its labels.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
            /** @description Ignored: the service raises it. */
            readonly serial?: number | null;
        };
        ServerDto: {
            /**
             * Format: uuid
             * @description Computed from the name, so it stays the same.
             */
            id: string;
            /** @example ns1.example.net. */
            name: string;
            /**
             * @description When the domain was created.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string;
            /** @example null */
            updated_at: string | null;
        };
        ServerListDto: {
            servers: components["schemas"]["ServerDto"][];
        };
        CreateRecordDto: {
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly id?: string | null;
            /** @description Ignored. */
            readonly created_at?: string | null;
            /** @description Ignored. */
            readonly updated_at?: string | null;
            /** @description Ignored. */
            readonly tenant_id?: string | null;
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly domain_id?: string | null;
            /** @description Ignored. */
            readonly version?: number | null;
            /**
             * @description Owner name, absolute: it ends with a dot.
             * @example www.example.org.
             */
            name: string;
            /**
             * @description Upper case.
             * @example A
             */
            type: string;
            /**
             * @description The value, in the form that the type asks for.
             * @example 192.0.2.3
             */
            data?: string;
            /** @description Instead of `data`: its fields, as `GET /v1/record-types` describes them. */
            fields?: {
                [key: string]: unknown;
            };
            /**
             * @description Required for MX and SRV, null for every other type.
             * @example null
             */
            priority?: number | null;
            /**
             * @description Seconds; null: the ttl of the domain.
             * @example 3600
             */
            ttl?: number | null;
            /** @example null */
            description?: string | null;
            /**
             * @description When the service removes the record, a time to come such as `2027-01-31T00:00:00Z`; null: never. Unknown without the option `expiring_records`.
             * @example null
             */
            expires_at?: string | null;
        };
        RecordDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            id: string;
            /**
             * @description Owner name, as it was sent.
             * @example www.example.org.
             */
            name: string;
            /** @example A */
            type: string;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string;
            /**
             * @description `null` until the record is updated.
             * @example null
             */
            updated_at: string | null;
            /**
             * @description Seconds; `null` when none was set.
             * @example 3600
             */
            ttl: number | null;
            /**
             * @description The value, as it was sent.
             * @example 192.0.2.3
             */
            data: string;
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            domain_id: string;
            /**
             * @description MX and SRV only.
             * @example null
             */
            priority: number | null;
            /** @example null */
            description: string | null;
            /**
             * @description When the service removes it, UTC; `null`: never. Only with the option `expiring_records`.
             * @example null
             */
            expires_at?: string | null;
            /**
             * @description With `fields=true`: the value field by field, as `GET /v1/record-types` describes it; `null` where its type is not known any more.
             * @example {
             *       "address": "192.0.2.3"
             *     }
             */
            fields?: {
                [key: string]: unknown;
            } | null;
        };
        ListedRecordDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            id: string;
            /**
             * @description Owner name, as it was sent.
             * @example www.example.org.
             */
            name: string;
            /** @example A */
            type: string;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string;
            /**
             * @description `null` until the record is updated.
             * @example null
             */
            updated_at: string | null;
            /**
             * @description Seconds; `null` when none was set.
             * @example 3600
             */
            ttl: number | null;
            /**
             * @description The value, as it was sent.
             * @example 192.0.2.3
             */
            data: string;
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            domain_id: string;
            /**
             * @description MX and SRV only.
             * @example null
             */
            priority: number | null;
            /** @example null */
            description: string | null;
            /**
             * @description When the service removes it, UTC; `null`: never. Only with the option `expiring_records`.
             * @example null
             */
            expires_at?: string | null;
            /**
             * @description With `fields=true`: the value field by field, as `GET /v1/record-types` describes it; `null` where its type is not known any more.
             * @example {
             *       "address": "192.0.2.3"
             *     }
             */
            fields?: {
                [key: string]: unknown;
            } | null;
            /** @example acme */
            tenant_id: string | null;
            /**
             * @description Grows by one with each update.
             * @example 1
             */
            version: number;
        };
        RecordCountDto: {
            /**
             * @description Of all pages.
             * @example 412
             */
            total: number;
            /**
             * @description If false, there are more than `total`.
             * @example true
             */
            total_is_exact: boolean;
            /**
             * @description Whatever `type` asks for.
             * @example {
             *       "A": 400,
             *       "MX": 12
             *     }
             */
            by_type: {
                [key: string]: number;
            };
            /**
             * @description If false, `by_type` counts only a part, of 10,000 records or more.
             * @example true
             */
            by_type_is_exact: boolean;
        };
        RecordListDto: {
            /** @description Only with `limit`. */
            links?: components["schemas"]["LinksDto"];
            records: components["schemas"]["ListedRecordDto"][];
            /** @description Only with `count=true`. */
            count?: components["schemas"]["RecordCountDto"];
        };
        UpdateRecordDto: {
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly id?: string | null;
            /** @description Ignored. */
            readonly created_at?: string | null;
            /** @description Ignored. */
            readonly updated_at?: string | null;
            /** @description Ignored. */
            readonly tenant_id?: string | null;
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly domain_id?: string | null;
            /** @description Ignored. */
            readonly version?: number | null;
            /**
             * @description Owner name, absolute: it ends with a dot.
             * @example www.example.org.
             */
            name?: string;
            /**
             * @description Upper case.
             * @example A
             */
            type?: string;
            /**
             * @description The value, in the form that the type asks for.
             * @example 192.0.2.3
             */
            data?: string;
            /** @description Instead of `data`: its fields, as `GET /v1/record-types` describes them. */
            fields?: {
                [key: string]: unknown;
            };
            /**
             * @description Required for MX and SRV, null for every other type.
             * @example null
             */
            priority?: number | null;
            /**
             * @description Seconds; null: the ttl of the domain; 0 where the record has that already.
             * @example 3600
             */
            ttl?: number | null;
            /** @example null */
            description?: string | null;
            /**
             * @description When the service removes the record, a time to come such as `2027-01-31T00:00:00Z`; null: never. Unknown without the option `expiring_records`.
             * @example null
             */
            expires_at?: string | null;
        };
        CreateEntryDto: {
            /** @enum {string} */
            action: "create";
            record: components["schemas"]["CreateRecordDto"];
        };
        UpdateEntryDto: {
            /** @enum {string} */
            action: "update";
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            id: string;
            record: components["schemas"]["UpdateRecordDto"];
        };
        DeleteEntryDto: {
            /** @enum {string} */
            action: "delete";
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            id: string;
        };
        SetMemberDto: {
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly id?: string | null;
            /** @description Ignored. */
            readonly created_at?: string | null;
            /** @description Ignored. */
            readonly updated_at?: string | null;
            /** @description Ignored. */
            readonly tenant_id?: string | null;
            /**
             * Format: uuid
             * @description Ignored.
             */
            readonly domain_id?: string | null;
            /** @description Ignored. */
            readonly version?: number | null;
            /**
             * @description Owner name, absolute: it ends with a dot.
             * @example www.example.org.
             */
            name?: string;
            /**
             * @description Upper case.
             * @example A
             */
            type?: string;
            /**
             * @description The value, in the form that the type asks for.
             * @example 192.0.2.3
             */
            data?: string;
            /** @description Instead of `data`: its fields, as `GET /v1/record-types` describes them. */
            fields?: {
                [key: string]: unknown;
            };
            /**
             * @description Required for MX and SRV, null for every other type.
             * @example null
             */
            priority?: number | null;
            /**
             * @description Seconds; null: the ttl of the domain; 0 where the record has that already.
             * @example 3600
             */
            ttl?: number | null;
            /** @example null */
            description?: string | null;
            /**
             * @description When the service removes the record, a time to come such as `2027-01-31T00:00:00Z`; null: never. Unknown without the option `expiring_records`.
             * @example null
             */
            expires_at?: string | null;
        };
        ReplaceEntryDto: {
            /** @enum {string} */
            action: "replace";
            /**
             * @description Owner name of the record set.
             * @example www.example.org.
             */
            name: string;
            /** @example A */
            type: string;
            /** @description All records of the set; none removes it. */
            records: components["schemas"]["SetMemberDto"][];
        };
        LabelEntryDto: {
            /** @enum {string} */
            action: "label";
            /**
             * @description Owner name of the record set.
             * @example www.example.org.
             */
            name: string;
            /** @example A */
            type: string;
            /**
             * @description All labels of the set, which has to have records after the change.
             * @example {
             *       "team": "web"
             *     }
             */
            labels: {
                [key: string]: string;
            };
        };
        ChangeSetDto: {
            changes: (components["schemas"]["CreateEntryDto"] | components["schemas"]["UpdateEntryDto"] | components["schemas"]["DeleteEntryDto"] | components["schemas"]["ReplaceEntryDto"] | components["schemas"]["LabelEntryDto"])[];
            /**
             * @description What the change is for, for the history.
             * @example Move the web server
             */
            message?: string;
        };
        DoneEntryDto: {
            /** @enum {string} */
            action: "create" | "update" | "delete" | "replace" | "label";
            /** @description As it is now; of a delete, as it was. */
            record?: components["schemas"]["RecordDto"];
            /** @description Of a replace: the records of the set as it is now. */
            records?: components["schemas"]["RecordDto"][];
        };
        DifferenceDto: {
            /**
             * @example update
             * @enum {string}
             */
            action: "create" | "update" | "delete";
            /** @description In the first state; `null` where it was not there. */
            before: components["schemas"]["RecordDto"] | null;
            /** @description In the second state; `null` where it was not there. */
            after: components["schemas"]["RecordDto"] | null;
        };
        LabeledSetStepDto: {
            /** @example www.example.org. */
            name: string;
            /** @example A */
            type: string;
            /** @example {} */
            before: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "team": "web"
             *     }
             */
            after: {
                [key: string]: string;
            };
        };
        ReverseStepDto: {
            /**
             * @description The reverse domain.
             * @example 2.0.192.in-addr.arpa.
             */
            domain: string;
            /** @example 1.2.0.192.in-addr.arpa. */
            name: string;
            /**
             * @description The data of its PTR record; `null`: none.
             * @example null
             */
            before: string | null;
            /** @example www.example.org. */
            after: string | null;
            /**
             * @description Why the PTR record stays as it is.
             * @example null
             */
            problem: string | null;
        };
        UseAfterDto: {
            /**
             * @description Records of the domain: the quota `zone_records`.
             * @example 412
             */
            zone_records: number;
            /**
             * @description Its record sets: the quota `zone_recordsets`.
             * @example 205
             */
            zone_recordsets: number;
        };
        PlanFindingDto: {
            /** @example example.org. */
            name: string;
            /** @example MX */
            type: string;
            /** @example mail.example.org. is in this zone but has no A or AAAA record. */
            message: string;
            /**
             * @description Findings that are mended in the same way.
             * @example no_address
             * @enum {string}
             */
            kind: "no_address" | "alias_target" | "missing_glue" | "optional_glue" | "below_delegation" | "missing_type" | "not_a_host_name" | "too_many_records" | "too_many_types" | "missing_dot" | "unspaced_spf" | "missing_alpn" | "missing_dohpath" | "alias_parameters" | "unsupported_algorithm" | "unsupported_digest" | "unreadable_record" | "other_name_server" | "alias_without_addresses" | "reverse_differs" | "expiring_signatures";
            /**
             * @description The value that the kind is about: the name as it was meant, the target without address, a number.
             * @example mail.example.org.
             */
            text?: string;
            /**
             * @description `error`: name servers refuse the domain. `warning`: it is served, but hardly as it was meant.
             * @enum {string}
             */
            severity: "error" | "warning";
            /**
             * @description Of an import: the line of the file.
             * @example 7
             */
            line?: number;
        };
        DoneChangeSetDto: {
            /**
             * @description The serial of the domain after it.
             * @example 1763600001
             */
            serial: number;
            /** @description In the order sent. */
            changes: components["schemas"]["DoneEntryDto"][];
            /** @description `true` when nothing was stored. */
            dry_run?: boolean;
            /** @description Of a dry run: the records that would become different. Ids and times of new ones are made up. */
            diff?: components["schemas"]["DifferenceDto"][];
            /** @description Of a dry run: the labels that would change. */
            labels?: components["schemas"]["LabeledSetStepDto"][];
            /** @description Of a dry run: the PTR records of its addresses. */
            reverse?: components["schemas"]["ReverseStepDto"][];
            /** @description Of a dry run: what the domain would have then. */
            use?: components["schemas"]["UseAfterDto"];
            /** @description Of a dry run with `findings=true`: what the check of the domain would find then and does not find now; `null` where it is not looked for. */
            findings?: components["schemas"]["PlanFindingDto"][] | null;
        };
        LabeledSetDto: {
            /**
             * Format: uuid
             * @description As version 2 has it.
             * @example 019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            id: string;
            /** @example www.example.org. */
            name: string;
            /** @example A */
            type: string;
            /**
             * @example {
             *       "owner": "deploy"
             *     }
             */
            labels: {
                [key: string]: string;
            };
        };
        LabeledSetListDto: {
            /** @description In the order of creation. */
            record_sets: components["schemas"]["LabeledSetDto"][];
            links: components["schemas"]["LinksDto"];
        };
        BuiltReverseDto: {
            /** @description PTR records that are created, and those that stay. */
            reverse: components["schemas"]["ReverseStepDto"][];
            /**
             * @description The `marker` of the next portion; `null`: the domain is done.
             * @example null
             */
            next: string | null;
        };
        FieldValueDto: {
            /** @example 2 */
            value: number | string;
            /** @example SHA-256 */
            label: string;
        };
        FieldDto: {
            /** @example fingerprint_type */
            name: string;
            /** @example Fingerprint type */
            label: string;
            /**
             * @example choice
             * @enum {string}
             */
            kind: "number" | "choice" | "ipv4" | "ipv6" | "host_name" | "domain_name" | "text" | "hexadecimal" | "base64" | "record_type" | "parameter" | "presentation";
            /**
             * @description What the field is made of, in a few words.
             * @example 1, 2
             */
            form: string;
            /**
             * @description Of a number.
             * @example null
             */
            minimum: number | null;
            /**
             * @description Of a number; of a text, in octets.
             * @example null
             */
            maximum: number | null;
            /** @description All values of a choice; of other kinds those that are known. */
            values: components["schemas"]["FieldValueDto"][] | null;
            /**
             * @description The field is a list of such values.
             * @example false
             */
            repeats: boolean;
            /**
             * @description The field may be left out.
             * @example false
             */
            optional: boolean;
        };
        RecordExampleDto: {
            /** @example host.example.org. */
            name: string;
            /** @example 4 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef */
            data: string;
            /** @example null */
            priority: number | null;
            /**
             * @example {
             *       "algorithm": 4,
             *       "fingerprint_type": 2,
             *       "fingerprint": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
             *     }
             */
            fields: {
                [key: string]: unknown;
            } | null;
        };
        RecordTypeDto: {
            /** @example SSHFP */
            name: string;
            /** @example 44 */
            code: number;
            /**
             * @description Where the type is defined.
             * @example RFC 4255 §3.1
             */
            rfc: string;
            /**
             * @description The field that `priority` is.
             * @example null
             */
            priority: components["schemas"]["FieldDto"] | null;
            /**
             * @description What owner names must be, as a sentence.
             * @example null
             */
            owner_rule: string | null;
            /**
             * @description Where records may stand, a sentence for each rule.
             * @example []
             */
            placement_rules: string[];
            /** @description In the order of `data`. */
            fields: components["schemas"]["FieldDto"][];
            example: components["schemas"]["RecordExampleDto"];
        };
        RecordTypesDto: {
            record_types: components["schemas"]["RecordTypeDto"][];
            /**
             * @description Whether types that have only a number, TYPEn, are taken; their one field is `data`, hexadecimal.
             * @example true
             */
            numbered_types: boolean;
        };
        ManagedRecordDto: {
            /**
             * @description The name of the domain.
             * @example example.org.
             */
            name: string;
            /**
             * @example NS
             * @enum {string}
             */
            type: "SOA" | "NS";
            /**
             * @description Seconds; `null`: the domain's.
             * @example null
             */
            ttl: number | null;
            /** @example ns1.example.net. */
            data: string;
        };
        ManagedRecordsDto: {
            managed_records: components["schemas"]["ManagedRecordDto"][];
        };
        FoundRecordDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            id: string;
            /**
             * @description Owner name, as it was sent.
             * @example www.example.org.
             */
            name: string;
            /** @example A */
            type: string;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string;
            /**
             * @description `null` until the record is updated.
             * @example null
             */
            updated_at: string | null;
            /**
             * @description Seconds; `null` when none was set.
             * @example 3600
             */
            ttl: number | null;
            /**
             * @description The value, as it was sent.
             * @example 192.0.2.3
             */
            data: string;
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            domain_id: string;
            /**
             * @description MX and SRV only.
             * @example null
             */
            priority: number | null;
            /** @example null */
            description: string | null;
            /**
             * @description When the service removes it, UTC; `null`: never. Only with the option `expiring_records`.
             * @example null
             */
            expires_at?: string | null;
            /**
             * @description With `fields=true`: the value field by field, as `GET /v1/record-types` describes it; `null` where its type is not known any more.
             * @example {
             *       "address": "192.0.2.3"
             *     }
             */
            fields?: {
                [key: string]: unknown;
            } | null;
            /** @example example.org. */
            domain_name: string;
        };
        FoundRecordsDto: {
            records: components["schemas"]["FoundRecordDto"][];
            /**
             * @description Records and domains that this request has read.
             * @example 250000
             */
            searched: number;
            /**
             * @description Whether all domains are searched; otherwise `links.next` goes on.
             * @example true
             */
            complete: boolean;
            links: components["schemas"]["LinksDto"];
        };
        ActorDto: {
            /**
             * @description The tenant that asked.
             * @example acme
             */
            tenant_id: string;
            /** @example 019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8 */
            token_id: string | null;
            /**
             * @description Where the credential names one.
             * @example null
             */
            user: string | null;
        };
        DomainStepDto: {
            before: components["schemas"]["DomainDto"] | null;
            after: components["schemas"]["DomainDto"] | null;
        };
        HistoryEntryDto: {
            /**
             * @description Counts the entries of a domain from 1.
             * @example 4
             */
            number: number;
            /**
             * @description Of the domain, after the change.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description The same for all entries of one change.
             * @example 019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70
             */
            change_id: string;
            /**
             * @example record.update
             * @enum {string}
             */
            action: "domain.create" | "domain.update" | "domain.delete" | "domain.serial" | "domain.regenerate" | "domain.transfer" | "record.create" | "record.update" | "record.delete";
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            at: string;
            actor: components["schemas"]["ActorDto"];
            /** @example req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11 */
            request_id: string;
            /**
             * @description What was said of the change, in the first of its entries.
             * @example Move the web server
             */
            message: string | null;
            /** @description `null` where there was no record. */
            before: components["schemas"]["RecordDto"] | null;
            /** @description `null` where there is no record any more. */
            after: components["schemas"]["RecordDto"] | null;
            /** @description What the domain itself was and became; `null` in an entry of a record. */
            domain: components["schemas"]["DomainStepDto"] | null;
            /** @description Only in an entry of new labels of a record set. */
            record_set?: components["schemas"]["LabeledSetStepDto"];
        };
        HistoryDto: {
            /** @description Latest first. */
            history: components["schemas"]["HistoryEntryDto"][];
            links: components["schemas"]["LinksDto"];
        };
        DiffDto: {
            diff: components["schemas"]["DifferenceDto"][];
        };
        RevertDto: {
            /**
             * @description The records become what they were at this serial.
             * @example 1763627400
             */
            serial?: number;
            /**
             * @description In place of a serial: what this change made of records is undone, and nothing else.
             * @example 019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70
             */
            change_id?: string;
            /**
             * @description What the change is for, for the history.
             * @example Move the web server
             */
            message?: string;
        };
        ChangeActorDto: {
            /**
             * @description The tenant that asked.
             * @example acme
             */
            tenant_id: string;
            /** @example 019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8 */
            token_id: string | null;
            /**
             * @description Where the credential names one.
             * @example null
             */
            user: string | null;
            /**
             * @description The description of the token, where it is one of the tenant.
             * @example deploy
             */
            token_description: string | null;
        };
        ChangeCountsDto: {
            /** @example 2 */
            created: number;
            /** @example 0 */
            updated: number;
            /** @example 1 */
            deleted: number;
        };
        ChangeDto: {
            /**
             * @description What a revert undoes it by.
             * @example 019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70
             */
            change_id: string;
            /**
             * @description Of the domain, after the change.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description Of the domain before it: the diff between the two shows the change. Null where nothing older is kept.
             * @example 1763627000
             */
            serial_before: number | null;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            at: string;
            actor: components["schemas"]["ChangeActorDto"];
            /** @example req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11 */
            request_id: string;
            /**
             * @description Message of the change.
             * @example Move the web server
             */
            message: string | null;
            records: components["schemas"]["ChangeCountsDto"];
            /**
             * @description What happened to the domain itself: `domain.update`, …
             * @example []
             */
            domain_actions: string[];
            /**
             * @description The number of its first entry in the history.
             * @example 3
             */
            first: number;
            /**
             * @description The number of its last entry.
             * @example 5
             */
            last: number;
        };
        ChangesDto: {
            /** @description Latest first. */
            changes: components["schemas"]["ChangeDto"][];
            links: components["schemas"]["LinksDto"];
        };
        ChangedDomainDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            id: string;
            /**
             * @description Of a domain that has been deleted, in lower case.
             * @example example.org.
             */
            name: string;
        };
        TenantChangeDto: {
            /**
             * @description What a revert undoes it by.
             * @example 019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70
             */
            change_id: string;
            /**
             * @description Of the domain, after the change.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description Of the domain before it: the diff between the two shows the change. Null where nothing older is kept.
             * @example 1763627000
             */
            serial_before: number | null;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            at: string;
            actor: components["schemas"]["ChangeActorDto"];
            /** @example req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11 */
            request_id: string;
            /**
             * @description Message of the change.
             * @example Move the web server
             */
            message: string | null;
            records: components["schemas"]["ChangeCountsDto"];
            /**
             * @description What happened to the domain itself: `domain.update`, …
             * @example []
             */
            domain_actions: string[];
            /**
             * @description The number of its first entry in the history.
             * @example 3
             */
            first: number;
            /**
             * @description The number of its last entry.
             * @example 5
             */
            last: number;
            domain: components["schemas"]["ChangedDomainDto"];
        };
        TenantChangesDto: {
            /** @description Latest first. */
            changes: components["schemas"]["TenantChangeDto"][];
            links: components["schemas"]["LinksDto"];
        };
        DeletedDomainDto: {
            /**
             * Format: uuid
             * @description Its history is found by it.
             */
            id: string;
            /**
             * @description In lower case.
             * @example example.org.
             */
            name: string;
            /**
             * @description After the deletion.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description UTC.
             * @example 2026-11-20T08:30:00.123456
             */
            deleted_at: string;
            actor: components["schemas"]["ActorDto"];
        };
        DeletedDomainsDto: {
            /** @description The one that was made last first. */
            deleted_domains: components["schemas"]["DeletedDomainDto"][];
            links: components["schemas"]["LinksDto"];
        };
        RestoreDeletedDto: {
            /**
             * @description What the change is for, for the history.
             * @example Move the web server
             */
            message?: string;
        };
        ImportRepairDto: {
            /**
             * @description What the file has that is not stored as it stands, or lacks; `dnssec_record`: what signing makes.
             * @example soa_owner
             * @enum {string}
             */
            kind: "soa_minimum_as_ttl" | "soa_owner" | "first_owner" | "placeholder" | "origin_label" | "record_age" | "wins_record" | "hash_comment" | "outside_zone" | "apex_ds" | "root_name_server" | "below_dname" | "delegated_dname" | "dnssec_record";
            /**
             * @description How many lines of the file needed it.
             * @example 1
             */
            count: number;
            /**
             * @description The first of these lines.
             * @example 2
             */
            line: number;
            /**
             * @description What stands there, or its beginning; its type if it was dropped.
             * @example example.org
             */
            text: string;
            /** @description What the import did about it, for people. */
            message: string;
        };
        ImportReportDto: {
            /** @example merge */
            mode: string;
            /**
             * @description Whether the import was a dry run, which stores nothing.
             * @example false
             */
            dry_run: boolean;
            /** @example 12 */
            created: number;
            /**
             * @description Records that existed with another ttl.
             * @example 0
             */
            updated: number;
            /** @example 30 */
            unchanged: number;
            /**
             * @description Always 0 when merging.
             * @example 0
             */
            removed: number;
            /**
             * @description SOA and NS records that the service generates itself.
             * @example 2
             */
            skipped: number;
            /** @description Lines of the file that were left out or repaired, one entry for each kind. */
            repairs: components["schemas"]["ImportRepairDto"][];
            /** @description Records of the file that hardly mean what they say, at most 100, and with `findings=true` what the check of the domain would find then and does not find now; left out where there are none. */
            findings?: components["schemas"]["PlanFindingDto"][];
            /** @description With `diff=true`: the records that would change. Ids and times of those that would be new are made up. */
            diff?: components["schemas"]["DifferenceDto"][];
        };
        FindingDto: {
            /** @example example.org. */
            name: string;
            /** @example MX */
            type: string;
            /** @example mail.example.org. is in this zone but has no A or AAAA record. */
            message: string;
            /**
             * @description Findings that are mended in the same way.
             * @example no_address
             * @enum {string}
             */
            kind: "no_address" | "alias_target" | "missing_glue" | "optional_glue" | "below_delegation" | "missing_type" | "not_a_host_name" | "too_many_records" | "too_many_types" | "missing_dot" | "unspaced_spf" | "missing_alpn" | "missing_dohpath" | "alias_parameters" | "unsupported_algorithm" | "unsupported_digest" | "unreadable_record" | "other_name_server" | "alias_without_addresses" | "reverse_differs" | "expiring_signatures";
            /**
             * @description The value that the kind is about: the name as it was meant, the target without address, a number.
             * @example mail.example.org.
             */
            text?: string;
        };
        ZoneCheckDto: {
            /** @description Name servers refuse a zone that has these. */
            errors: components["schemas"]["FindingDto"][];
            /** @description The zone loads, but probably does not work as intended. */
            warnings: components["schemas"]["FindingDto"][];
        };
        ServerPublicationDto: {
            /** @example 192.0.2.53:53 */
            address: string;
            /**
             * @description `current`: it has the serial or a later one; `inconsistent`: it has that, and answers otherwise for a record of the last changes, which `error` names; `behind`: it answers, but not with that; `unreachable`: it gives no answer that counts; `unknown`: it has not been heard of yet.
             * @example behind
             * @enum {string}
             */
            state: "current" | "inconsistent" | "behind" | "unreachable" | "unknown";
            /**
             * @description The serial that it has answered last.
             * @example 1763627398
             */
            serial: number | null;
            /**
             * @description When it was first seen to have that serial, UTC.
             * @example 2026-11-20T08:29:58.123456
             */
            since: string | null;
            /**
             * @description How far its serial is behind; 0 when not.
             * @example 2
             */
            behind: number | null;
            /**
             * @description When the first change was made that it lacks, UTC; `null` if it is not `behind`.
             * @example 2026-11-20T08:29:59.123456
             */
            behind_since: string | null;
            /**
             * @description Since when it gives no answer that counts, UTC.
             * @example null
             */
            unreachable_since: string | null;
            /**
             * @description Last error.
             * @example SOA: REFUSED
             */
            error: string | null;
        };
        PublicationDto: {
            /**
             * @description The serial that servers are to have.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description Whether every server has answered that serial or a later one; true where none is configured.
             * @example false
             */
            published: boolean;
            servers: components["schemas"]["ServerPublicationDto"][];
        };
        PoolServerDto: {
            /** @example 192.0.2.53:53 */
            address: string;
            /**
             * @description `unknown`: it has not been asked yet.
             * @example answering
             * @enum {string}
             */
            state: "answering" | "unreachable" | "unknown";
            /**
             * @description When it answered last, precise to 30 seconds, UTC.
             * @example 2026-11-20T08:29:58.123456
             */
            last_answer: string | null;
            /**
             * @description Since when it gives no answer, UTC.
             * @example null
             */
            unreachable_since: string | null;
            /**
             * @description Why it gives none.
             * @example null
             */
            error: string | null;
        };
        PoolServersDto: {
            name_servers: components["schemas"]["PoolServerDto"][];
        };
        ReadKeyDto: {
            /** @example transfer.example.net. */
            name: string;
            /**
             * @description `hmac-sha256`, `-sha384` or `-sha512`.
             * @example hmac-sha256
             */
            algorithm: string;
            /**
             * @description In base64. It is not stored.
             * @example c2VjcmV0IG9mIHNpeHRlZW4=
             */
            secret: string;
        };
        ReadDomainDto: {
            /**
             * @description The final dot may be left out.
             * @example example.org.
             */
            name: string;
            /**
             * @description `transfer` (AXFR) gives the whole domain; `queries` ask for common names and types.
             * @example queries
             * @enum {string}
             */
            method: "transfer" | "queries";
            /**
             * @description Host names or addresses; left out: the name servers that a resolver finds for the domain.
             * @example [
             *       "ns1.example.net",
             *       "192.0.2.53"
             *     ]
             */
            name_servers?: string[];
            /** @description Signs the transfer. */
            tsig_key?: components["schemas"]["ReadKeyDto"];
        };
        LeftOutDto: {
            /** @example RRSIG */
            type: string;
            /** @example 40 */
            count: number;
        };
        TriedServerDto: {
            /**
             * @description As the request names it, or as it was found.
             * @example ns1.example.net:53
             */
            name: string;
            /** @example 192.0.2.53 */
            address: string | null;
            /**
             * @description Why it gave nothing, or `null`.
             * @example null
             * @enum {string|null}
             */
            reason: "no_address" | "forbidden_address" | "unreachable" | "no_answer" | "refused" | "not_authoritative" | "bad_signature" | "too_large" | "invalid_answer" | null;
            /** @example null */
            error: string | null;
        };
        QuestionsDto: {
            /** @example 214 */
            asked: number;
            /**
             * @description Questions without a usable answer in time.
             * @example 0
             */
            unanswered: number;
            /**
             * @example [
             *       "example.org.",
             *       "www.example.org."
             *     ]
             */
            names: string[];
        };
        DomainReadDto: {
            /** @example example.org. */
            name: string;
            /**
             * @example queries
             * @enum {string}
             */
            method: "transfer" | "queries";
            /**
             * @description Whether it is the whole domain, by a transfer.
             * @example false
             */
            complete: boolean;
            /**
             * @description A zone file with absolute names; `null` if no server gave anything.
             * @example www.example.org.	3600	IN	A	192.0.2.3
             */
            zone_file: string | null;
            /**
             * @description Records in `zone_file`.
             * @example 1
             */
            records: number;
            /** @description Records that signing makes, by type. */
            left_out: components["schemas"]["LeftOutDto"][];
            /** @description Each server that was tried, in this order. */
            name_servers: components["schemas"]["TriedServerDto"][];
            /** @description `null` for a transfer. */
            questions: components["schemas"]["QuestionsDto"] | null;
        };
        ComparedSetDto: {
            /** @example A */
            type: string;
            /** @example 3600 */
            ttl: number;
            /**
             * @example [
             *       "192.0.2.3"
             *     ]
             */
            data: string[];
        };
        LiveDifferenceDto: {
            /** @example www.example.org. */
            name: string;
            /** @example A */
            type: string;
            /**
             * @description `missing`: the servers have no such records; `ttl`: only the TTL differs.
             * @example data
             * @enum {string}
             */
            kind: "missing" | "data" | "ttl";
            ours: components["schemas"]["ComparedSetDto"];
            /** @description Its `type` is CNAME for an alias there. */
            theirs: components["schemas"]["ComparedSetDto"] | null;
            /**
             * @description The servers that answer so.
             * @example [
             *       "ns1.example.net:53"
             *     ]
             */
            name_servers: string[];
        };
        UnansweredDto: {
            /** @example www.example.org. */
            name: string;
            /** @example A */
            type: string;
        };
        LiveComparisonDto: {
            name_servers: components["schemas"]["TriedServerDto"][];
            /**
             * @description Record sets that were compared.
             * @example 12
             */
            compared: number;
            /**
             * @description Record sets that are not to be compared.
             * @example 0
             */
            left_out: number;
            differences: components["schemas"]["LiveDifferenceDto"][];
            /** @description Record sets without a usable answer. */
            unanswered: components["schemas"]["UnansweredDto"][];
            /** @description `next` leads to further record sets. */
            links: components["schemas"]["LinksDto"];
        };
        LiveFindingDto: {
            /**
             * @description `error`: some or all users are affected now. `warning`: it works, but not as intended.
             * @enum {string}
             */
            severity: "error" | "warning" | "notice";
            /** @example example.org. */
            name: string;
            /** @example NS */
            type: string;
            /**
             * @description For programs.
             * @example old_serial
             * @enum {string}
             */
            kind: "parent_unknown" | "not_delegated" | "ns_only_at_parent" | "ns_only_in_zone" | "live_glue_missing" | "glue_differs" | "server_without_address" | "server_unknown" | "server_not_public" | "server_silent" | "no_udp" | "no_tcp" | "server_refuses" | "not_authoritative" | "old_serial" | "newer_serial" | "ipv6_unreachable" | "no_ds" | "ds_without_dnskey" | "ds_mismatch" | "ds_unused" | "target_missing" | "target_without_address" | "target_unknown" | "dangling_target" | "takeover_risk" | "spf_too_many_lookups" | "spf_missing_policy" | "spf_target_missing" | "caa_forbids_issuer" | "not_checked";
            /**
             * @description The test of Zonemaster that finds the same.
             * @example CONSISTENCY01
             */
            test: string | null;
            /** @description The problem, and how to fix it. */
            message: string;
        };
        LiveCheckDto: {
            /** @description `false`: a limit of time, queries or records ended the check; see `not_checked`. */
            complete: boolean;
            /**
             * @description Queries to the resolver and to name servers.
             * @example 42
             */
            queries: number;
            /** @description Errors first. */
            findings: components["schemas"]["LiveFindingDto"][];
            /**
             * @description UTC.
             * @example 2026-11-30T06:00:00.000000
             */
            checked_at: string;
        };
        LiveCheckCountsDto: {
            /** @example 1 */
            errors: number;
            /** @example 0 */
            warnings: number;
            /** @example 2 */
            notices: number;
        };
        LastLiveCheckDto: {
            /** @description `false`: a limit of time, queries or records ended the check; see `not_checked`. */
            complete: boolean;
            /**
             * @description Queries to the resolver and to name servers.
             * @example 42
             */
            queries: number;
            /** @description Errors first. */
            findings: components["schemas"]["LiveFindingDto"][];
            /**
             * @description UTC; `null`: the domain was not checked yet.
             * @example 2026-11-30T06:00:00.000000
             */
            checked_at: string | null;
            /** @description Of all findings; `findings` has the first 100 at most. */
            counts: components["schemas"]["LiveCheckCountsDto"];
        };
        CreateUpdateKeyDto: {
            /**
             * @description It sees no others.
             * @example [
             *       "example.org."
             *     ]
             */
            domains?: string[];
            /**
             * @description Owner names; `*` stands for any characters.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names?: string[];
            /**
             * @example [
             *       "TXT"
             *     ]
             */
            types?: string[];
            /**
             * @description Of `create`, `update` and `delete`.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions?: string[];
            /**
             * @description Addresses and networks from which it may be used.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks?: string[];
            /**
             * @description By it messages name the key.
             * @example dhcp.example.org.
             */
            name: string;
            /**
             * @description `hmac-sha256`, `hmac-sha384` or `hmac-sha512`.
             * @example hmac-sha256
             */
            algorithm?: string;
            /** @description 16 to 128 octets in base64. Without it the service makes one. */
            secret?: string;
            /** @example the DHCP server */
            description?: string | null;
            /** @example 2027-01-31T00:00:00Z */
            expires_at?: string | null;
        };
        NewUpdateKeyDto: {
            /**
             * @description Null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "TXT"
             *     ]
             */
            types: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Null: from anywhere.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks: string[] | null;
            /** Format: uuid */
            id: string;
            /** @example dhcp.example.org. */
            name: string;
            /** @example hmac-sha256 */
            algorithm: string;
            tenant_id: string;
            description: string | null;
            /** @example 2026-11-23T14:00:00.000000 */
            created_at: string;
            /** @example 2026-11-23T14:00:00.000000 */
            expires_at: string | null;
            /** @example 2026-11-23T14:00:00.000000 */
            revoked_at: string | null;
            /** @description In base64. It is shown only once. */
            secret: string;
        };
        UpdateKeyDto: {
            /**
             * @description Null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "_acme-challenge.*"
             *     ]
             */
            names: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "TXT"
             *     ]
             */
            types: string[] | null;
            /**
             * @description Null: all.
             * @example [
             *       "create",
             *       "delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Null: from anywhere.
             * @example [
             *       "192.0.2.0/24"
             *     ]
             */
            networks: string[] | null;
            /** Format: uuid */
            id: string;
            /** @example dhcp.example.org. */
            name: string;
            /** @example hmac-sha256 */
            algorithm: string;
            tenant_id: string;
            description: string | null;
            /** @example 2026-11-23T14:00:00.000000 */
            created_at: string;
            /** @example 2026-11-23T14:00:00.000000 */
            expires_at: string | null;
            /** @example 2026-11-23T14:00:00.000000 */
            revoked_at: string | null;
        };
        UpdateKeyListDto: {
            update_keys: components["schemas"]["UpdateKeyDto"][];
        };
        DnssecKeyDto: {
            /** Format: uuid */
            id: string;
            /**
             * @description The key tag.
             * @example 12345
             */
            tag: number;
            /**
             * @description What it signs: all, the keys, the rest.
             * @example csk
             * @enum {string}
             */
            role: "csk" | "ksk" | "zsk";
            /**
             * @example ECDSAP256SHA256
             * @enum {string}
             */
            algorithm: "RSASHA256" | "RSASHA512" | "ECDSAP256SHA256" | "ECDSAP384SHA384" | "ED25519" | "ED448";
            /**
             * @description The flags of its DNSKEY record.
             * @example 257
             */
            flags: number;
            /** @example 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA== */
            dnskey: string;
            /**
             * @description The other signer that has the private key; `null`: this service.
             * @example null
             */
            signer: string | null;
            /**
             * @description Whether it is a KSK of the domain whose private key is elsewhere.
             * @example false
             */
            offline: boolean;
            /**
             * @description Whether its private key is in the token of this service.
             * @example false
             */
            in_token: boolean;
            /**
             * @description Whether it is in the DNSKEY set.
             * @example true
             */
            published: boolean;
            /**
             * @description Whether it signs the keys.
             * @example true
             */
            signs_keys: boolean;
            /**
             * @description Whether it signs all else.
             * @example true
             */
            signs_zone: boolean;
            /**
             * @description When its scheduled rollover is due, UTC; `null`: it has no schedule, or another key replaces it already.
             * @example 2027-02-21T08:29:58.000000
             */
            rollover_at: string | null;
        };
        RolloverDto: {
            /** Format: uuid */
            id: string;
            /**
             * @description `algorithm`: all of them; `join` and `leave`: those of another signer.
             * @example csk
             * @enum {string}
             */
            key: "csk" | "ksk" | "zsk" | "algorithm" | "join" | "leave";
            /**
             * @description The signer that joins or leaves.
             * @example null
             */
            signer: string | null;
            /**
             * @description Of the new keys.
             * @example ECDSAP256SHA256
             * @enum {string}
             */
            algorithm: "RSASHA256" | "RSASHA512" | "ECDSAP256SHA256" | "ECDSAP384SHA384" | "ED25519" | "ED448";
            /**
             * @description Whether others may have the old key.
             * @example false
             */
            emergency: boolean;
            /**
             * @description What was done last.
             * @example publish
             * @enum {string}
             */
            step: "prepare" | "sign" | "publish" | "swap" | "remove" | "unsign" | "withdraw";
            /**
             * @description When that was, UTC.
             * @example 2026-11-23T08:29:58.000000
             */
            since: string;
        };
        ParentServerDto: {
            /** @example a.nic.example. */
            name: string;
            /** @description The DS that it has; `null` where it does not say. */
            ds: string[] | null;
            /**
             * @description The name servers that it delegates the domain to; `null` where it does not say.
             * @example [
             *       "ns1.example.net."
             *     ]
             */
            ns: string[] | null;
            /**
             * @description Why it does not.
             * @example null
             */
            error: string | null;
        };
        SeenParentDto: {
            /**
             * @description The zone above; `null`: it was not found.
             * @example org.
             */
            zone: string | null;
            /**
             * @description Whether this service has that zone, and puts the DS into it itself.
             * @example false
             */
            hosted: boolean;
            /** @description The DS that all of its name servers have; `null`: they do not agree. */
            ds: string[] | null;
            /**
             * @description Whether one of them is of a key of the domain; `null`: there is none, or they do not agree.
             * @example true
             */
            matches: boolean | null;
            /**
             * @description What the resolver says to the question for the DS; `null` of a zone of this service.
             * @example secure
             * @enum {string|null}
             */
            resolver: "secure" | "insecure" | "bogus" | "silent" | null;
            servers: components["schemas"]["ParentServerDto"][];
            /**
             * @description Why none was asked.
             * @example null
             */
            problem: string | null;
            /**
             * @description When that was, UTC.
             * @example 2026-11-24T08:29:58.000000
             */
            seen_at: string;
        };
        DnssecDto: {
            /** @example true */
            enabled: boolean;
            /**
             * @description `ready`: the DS may be set in the parent zone.
             * @example ready
             * @enum {string}
             */
            state: "insecure" | "signing" | "proving" | "ready" | "secure" | "leaving" | "halted";
            /**
             * @description Condition that the zone waits for, as a text.
             * @example null
             */
            waits_for: string | null;
            /**
             * @description The kind of event behind it.
             * @example parent
             * @enum {string|null}
             */
            waits_on: "signatures" | "name_servers" | "caches" | "parent" | "operator" | null;
            /**
             * @description With `caches`: when they have expired the former data, UTC.
             * @example 2026-11-25T08:29:58.000000
             */
            waits_until: string | null;
            /**
             * @example ECDSAP256SHA256
             * @enum {string|null}
             */
            algorithm: "RSASHA256" | "RSASHA512" | "ECDSAP256SHA256" | "ECDSAP384SHA384" | "ED25519" | "ED448" | null;
            /**
             * @example nsec
             * @enum {string|null}
             */
            denial: "nsec" | "nsec3" | null;
            /** @example true */
            single_key: boolean | null;
            /**
             * @description What to set in the parent zone once the state is `ready`: one of them is enough.
             * @example [
             *       "55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17"
             *     ]
             */
            ds: string[];
            keys: components["schemas"]["DnssecKeyDto"][];
            /** @description The rollover that is under way. */
            rollover: components["schemas"]["RolloverDto"] | null;
            /** @description What was seen in the parent zone; `null`: nothing so far, or there is no way to look. */
            parent: components["schemas"]["SeenParentDto"] | null;
            /**
             * @description When the first signature is renewed, UTC.
             * @example 2026-12-04T08:29:58.000000
             */
            next_renewal: string | null;
            /**
             * @description Under which it is published.
             * @example 1763627400
             */
            published_serial: number | null;
            /**
             * @description The DNSKEY data of the KSK whose private key is elsewhere.
             * @example null
             */
            offline_ksk: string | null;
            /**
             * @description When the last signature of that KSK for the present keys expires, UTC; `null`: there is none.
             * @example null
             */
            key_response_until: string | null;
        };
        UpdateDnssecDto: {
            /** @description Ignored. */
            readonly waits_for?: string | null;
            /** @description Ignored. */
            readonly waits_on?: string | null;
            /** @description Ignored. */
            readonly waits_until?: string | null;
            /** @description Ignored. */
            readonly ds?: string[] | null;
            /** @description Ignored. */
            readonly keys?: Record<string, never>[] | null;
            /** @description Ignored. */
            readonly rollover?: {
                [key: string]: unknown;
            } | null;
            /** @description Ignored. */
            readonly parent?: {
                [key: string]: unknown;
            } | null;
            /** @description Ignored. */
            readonly next_renewal?: string | null;
            /** @description Ignored. */
            readonly published_serial?: number | null;
            /** @description Ignored. */
            readonly key_response_until?: string | null;
            /**
             * @description Whether the domain is signed.
             * @example true
             */
            enabled: boolean;
            /**
             * @description As it was read: with `leaving`, `enabled` does not lead back. Otherwise it is ignored.
             * @example null
             */
            state?: string | null;
            /**
             * @description Of its keys; `RSASHA512` only where it is so already.
             * @example ECDSAP256SHA256
             * @enum {string|null}
             */
            algorithm?: "RSASHA256" | "RSASHA512" | "ECDSAP256SHA256" | "ECDSAP384SHA384" | "ED25519" | "ED448" | null;
            /**
             * @description How it is proven that a name is not there; `nsec3` does not show the names that there are.
             * @example nsec
             * @enum {string|null}
             */
            denial?: "nsec" | "nsec3" | null;
            /**
             * @description One key for all, or one for the keys and one for the rest.
             * @example true
             */
            single_key?: boolean | null;
            /**
             * @description The DNSKEY data of a KSK whose private key stays elsewhere. The domain is signed when a signed key response has come.
             * @example null
             */
            offline_ksk?: string | null;
        };
        CreateRolloverDto: {
            /**
             * @description Which key another one takes the place of; `algorithm`: keys of another algorithm take that of all; `join`, `leave`: another signer of the domain begins or ends (RFC 8901).
             * @example csk
             * @enum {string}
             */
            key: "csk" | "ksk" | "zsk" | "algorithm" | "join" | "leave";
            /**
             * @description With `algorithm`: that of the new keys.
             * @example ED25519
             * @enum {string}
             */
            algorithm?: "RSASHA256" | "ECDSAP256SHA256" | "ECDSAP384SHA384" | "ED25519" | "ED448";
            /**
             * @description Others may have the old key: it goes without waiting for what it has signed in caches, and the DS of the new one is offered at once.
             * @default false
             * @example false
             */
            emergency: boolean;
            /**
             * @description With `join` and `leave`: your name for the other signer.
             * @example other
             */
            signer?: string;
            /**
             * @description With `join`: the DNSKEY data of all keys of the other signer. With `ksk`: that of the new KSK, if its private key stays elsewhere.
             * @example [
             *       "257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA=="
             *     ]
             */
            dnskeys?: string[];
            /**
             * @description With `leave`: the ttl of the NS records in the parent zone that delegated to the other signer, in seconds. Remove them first.
             * @default 172800
             * @example 172800
             */
            ttl: number;
        };
        ParentDto: {
            /**
             * @example published
             * @enum {string}
             */
            ds: "published" | "removed";
            /**
             * @description The ttl that the DS had in the parent zone, in seconds.
             * @default 86400
             * @example 86400
             */
            ttl: number;
        };
        KeyRequestDto: {
            /**
             * @description The key signing request, as `keymgr` of Knot, `dnssec-ksr` of BIND and `zonewright dnssec sign-ksr` read it.
             * @example ;; KeySigningRequest 1.0 1764500000 ===========
             *     …
             */
            request: string;
        };
        KeyResponseDto: {
            /**
             * @description The signed key response to a request of this domain.
             * @example ;; SignedKeyResponse 1.0 1764500000 ===========
             *     …
             */
            response: string;
        };
        ParentLookDto: {
            /**
             * @description The zone above; `null`: it was not found.
             * @example org.
             */
            zone: string | null;
            /**
             * @description Whether this service has that zone.
             * @example false
             */
            hosted: boolean;
            /** @description The DS that all of its name servers have; `null`: they do not agree. */
            ds: string[] | null;
            /**
             * @description The longest TTL of a DS, in seconds.
             * @example 86400
             */
            ds_ttl: number | null;
            servers: components["schemas"]["ParentServerDto"][];
            /**
             * @description Why none was asked.
             * @example null
             */
            problem: string | null;
            /**
             * @description When that was, UTC.
             * @example 2026-11-24T08:29:58.000000
             */
            seen_at: string;
        };
        ScheduledRolloverDto: {
            /** Format: uuid */
            domain_id: string;
            /** @example example.org. */
            domain: string;
            /**
             * @example zsk
             * @enum {string}
             */
            key: "csk" | "ksk" | "zsk";
            /**
             * @description The key tag.
             * @example 12345
             */
            tag: number;
            /**
             * @description When its rollover is due, UTC.
             * @example 2027-02-21T08:29:58.000000
             */
            at: string;
            /**
             * @description The step of the rollover that replaces it; `null`: none yet.
             * @example null
             * @enum {string|null}
             */
            step: "publish" | "swap" | "remove" | "sign" | "unsign" | null;
        };
        ScheduledRolloversDto: {
            rollovers: components["schemas"]["ScheduledRolloverDto"][];
            links: components["schemas"]["LinksDto"];
        };
        AliasDto: {
            /** @example example.org. */
            name: string;
            /** @example lb.example.net. */
            target: string;
            /**
             * @description `new`: it waits for its first answer; `missing`: it has no addresses; `failing`: there is no usable answer; `refused`: its addresses are not public; `looping`: it follows itself.
             * @example resolved
             * @enum {string}
             */
            state: "new" | "resolved" | "missing" | "failing" | "refused" | "looping";
            /**
             * @description Why it is not resolved.
             * @example null
             */
            problem: string | null;
            /**
             * @description The last addresses of the target.
             * @example [
             *       "192.0.2.1"
             *     ]
             */
            addresses: string[];
            /**
             * @description When it was last resolved, UTC.
             * @example 2026-11-20T08:29:58.123456
             */
            resolved_at: string | null;
        };
        AliasesDto: {
            aliases: components["schemas"]["AliasDto"][];
            /**
             * @description The `marker` of the next page; `null`: the last one.
             * @example null
             */
            next: string | null;
        };
        TemplateRecordDto: {
            /**
             * @description Relative to the domain; `@`: the domain; with a dot: ends with `{zone}.`.
             * @example www
             */
            name: string;
            /** @example CNAME */
            type: string;
            /**
             * @description As in a record of version 1.
             * @example {zone}.web.example.net.
             */
            data: string;
            /**
             * @description Seconds; null: that of the domain.
             * @example null
             */
            ttl?: number | null;
            /**
             * @description Required for MX and SRV.
             * @example null
             */
            priority?: number | null;
        };
        CreateTemplateDto: {
            /**
             * @description Lower-case letters, digits, `-` and `.`.
             * @example acme-web
             */
            name: string;
            /** @example Our web server */
            description?: string | null;
            /** @description At least one. `{zone}` in names and data stands for the name of a domain, without its final dot. */
            records: components["schemas"]["TemplateRecordDto"][];
            /**
             * @description Admins: for all tenants. Default: for the tenant.
             * @example false
             */
            for_all_tenants?: boolean;
        };
        TemplateDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7d10-8000-2b9c0e4f6a81
             */
            id: string;
            /** @example acme-web */
            name: string;
            /**
             * @description `null`: for all tenants.
             * @example acme
             */
            tenant_id: string | null;
            /**
             * @description A template of the service itself, which cannot change.
             * @example false
             */
            built_in: boolean;
            /** @example Our web server */
            description: string | null;
            /** @description At least one. `{zone}` in names and data stands for the name of a domain, without its final dot. */
            records: components["schemas"]["TemplateRecordDto"][];
            /**
             * @description UTC; `null`: built in.
             * @example 2026-11-20T08:30:00.123456
             */
            created_at: string | null;
            /** @example null */
            updated_at: string | null;
        };
        TemplateListDto: {
            templates: components["schemas"]["TemplateDto"][];
        };
        UpdateTemplateDto: {
            /**
             * @description Lower-case letters, digits, `-` and `.`.
             * @example acme-web
             */
            name?: string;
            /** @example Our web server */
            description?: string | null;
            /** @description At least one. `{zone}` in names and data stands for the name of a domain, without its final dot. */
            records?: components["schemas"]["TemplateRecordDto"][];
        };
        ApplyTemplateDto: {
            /**
             * @description The name of a template.
             * @example no-mail
             */
            template: string;
            /**
             * @description Replace the records that contradict those of the template.
             * @example false
             */
            replace?: boolean;
        };
        TemplateConflictDto: {
            /** @example example.org. */
            name: string;
            /** @example MX */
            type: string;
            /**
             * @description The data of the template.
             * @example [
             *       "."
             *     ]
             */
            template: string[];
            /**
             * @description Records of the domain that contradict it: the first 5, of 255 characters at most.
             * @example [
             *       "MX 10 mail.old.example."
             *     ]
             */
            existing: string[];
            /**
             * @description How many contradict it.
             * @example 1
             */
            existing_count: number;
        };
        AppliedTemplateDto: {
            /**
             * @description The serial of the domain after it.
             * @example 1763600001
             */
            serial: number;
            /** @description In the order sent. */
            changes: components["schemas"]["DoneEntryDto"][];
            /** @description `true` when nothing was stored. */
            dry_run?: boolean;
            /** @description Of a dry run: the records that would become different. Ids and times of new ones are made up. */
            diff?: components["schemas"]["DifferenceDto"][];
            /** @description Of a dry run: the labels that would change. */
            labels?: components["schemas"]["LabeledSetStepDto"][];
            /** @description Of a dry run: the PTR records of its addresses. */
            reverse?: components["schemas"]["ReverseStepDto"][];
            /** @description Of a dry run: what the domain would have then. */
            use?: components["schemas"]["UseAfterDto"];
            /** @description Of a dry run with `findings=true`: what the check of the domain would find then and does not find now; `null` where it is not looked for. */
            findings?: components["schemas"]["PlanFindingDto"][] | null;
            /** @description What the domain has instead: left alone, or replaced with `replace`. */
            conflicts: components["schemas"]["TemplateConflictDto"][];
        };
        LinkDto: {
            /** @example http://127.0.0.1:9001/v1 */
            href: string;
            /** @example self */
            rel: string;
        };
        VersionDto: {
            /** @example v1 */
            id: string;
            /**
             * @example DEPRECATED
             * @enum {string}
             */
            status: "CURRENT" | "SUPPORTED" | "DEPRECATED";
            links: components["schemas"]["LinkDto"][];
        };
        VersionValuesDto: {
            values: components["schemas"]["VersionDto"][];
        };
        VersionListDto: {
            versions: components["schemas"]["VersionValuesDto"];
        };
        OneVersionDto: {
            version: components["schemas"]["VersionDto"];
        };
        HealthDto: {
            /** @enum {string} */
            status: "ok";
        };
        ReadinessDto: {
            /** @enum {string} */
            status: "ok";
            /**
             * @description The results of the health checks of plugins, where there are any.
             * @example {
             *       "inspections/overdue": "ok"
             *     }
             */
            checks?: {
                [key: string]: "ok" | "failing";
            };
            /**
             * @description How many standbys of the database are read, where there are any. The primary is read in place of the others.
             * @example 2 of 2 are read
             */
            standbys?: string;
            /** @description Change listeners that have failed and are tried again. */
            failing_listeners?: string[];
            /**
             * @description Ports of plugins that have not answered lately; requests that need them are refused with 503.
             * @example [
             *       "billing-limits/RecordLimits"
             *     ]
             */
            failing_plugins?: string[];
        };
        QuotaValuesDto: {
            /**
             * @description Records in a zone export through the API.
             * @example 1000
             */
            api_export_size: number;
            /**
             * @description Records of one name and type.
             * @example 20
             */
            recordset_records: number;
            /**
             * @description Records in a domain.
             * @example 500
             */
            zone_records: number;
            /**
             * @description Pairs of name and type in a domain.
             * @example 500
             */
            zone_recordsets: number;
            /**
             * @description Domains of the tenant.
             * @example 10
             */
            zones: number;
        };
        QuotaDto: {
            quota: components["schemas"]["QuotaValuesDto"];
        };
        QuotaChangeDto: {
            /**
             * @description Records in a zone export through the API.
             * @example 20
             */
            api_export_size?: number;
            /**
             * @description Records of one name and type.
             * @example 20
             */
            recordset_records?: number;
            /**
             * @description Records in a domain.
             * @example 20
             */
            zone_records?: number;
            /**
             * @description Pairs of name and type in a domain.
             * @example 20
             */
            zone_recordsets?: number;
            /**
             * @description Domains of the tenant.
             * @example 20
             */
            zones?: number;
        };
        ChangeQuotaDto: {
            /**
             * @example {
             *       "zones": 20
             *     }
             */
            quota: components["schemas"]["QuotaChangeDto"];
        };
        AuditActorDto: {
            /**
             * @description The tenant that asked.
             * @example acme
             */
            tenant_id: string;
            /** @example 019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8 */
            token_id: string | null;
            /**
             * @description Of the token, as long as the service knows it.
             * @example deploy
             */
            token_description: string | null;
            /**
             * @description Where the credential names one.
             * @example null
             */
            user: string | null;
            /**
             * @description Of the client.
             * @example 192.0.2.1
             */
            address: string | null;
        };
        AuditedDomainDto: {
            /** Format: uuid */
            id: string;
            /**
             * @description `null` where it is not known.
             * @example example.org.
             */
            name: string | null;
        };
        AuditedRecordDto: {
            /** Format: uuid */
            id: string;
            /**
             * @description After the change.
             * @example www.example.org.
             */
            name: string;
            /** @example A */
            type: string;
        };
        AuditedSubjectDto: {
            /**
             * @description Of a quota: the tenant.
             * @example 019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8
             */
            id: string;
            /** @description Of a token: its description. */
            name: string | null;
        };
        AuditedChangeDto: {
            /**
             * @description The same for all steps of one change.
             * @example 019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70
             */
            id: string;
            /**
             * @description Of the domain, after the change.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description Of the entry in the domain's history.
             * @example 4
             */
            number: number;
        };
        AuditEntryDto: {
            /** @example 1763627400123456.019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4.4 */
            id: string;
            /**
             * @description UTC, with microseconds.
             * @example 2026-11-20T08:30:00.123456
             */
            at: string;
            /**
             * @example record.update
             * @enum {string}
             */
            action: "domain.create" | "domain.update" | "domain.delete" | "domain.serial" | "domain.transfer" | "domain.regenerate" | "record.create" | "record.update" | "record.delete" | "token.create" | "token.revoke" | "quota.update" | "quota.reset" | "share.create" | "share.delete" | "transfer_request.create" | "transfer_request.update" | "transfer_request.delete" | "transfer_request.accept" | "pool.create" | "pool.update" | "pool.delete" | "tld.create" | "tld.update" | "tld.delete" | "blacklist.create" | "blacklist.update" | "blacklist.delete" | "tsig_key.create" | "tsig_key.update" | "tsig_key.delete" | "update_key.create" | "update_key.revoke" | "webhook.create" | "webhook.update" | "webhook.rotate" | "webhook.delete" | "template.create" | "template.update" | "template.delete" | "dnssec.enable" | "dnssec.disable" | "dnssec.parent" | "dnssec.resign" | "dnssec.roll" | "dnssec.cancel_roll" | "dnssec.key_response";
            actor: components["schemas"]["AuditActorDto"];
            /** @example req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11 */
            request_id: string;
            /**
             * @description Owner of the resource; `null`: no tenant.
             * @example acme
             */
            tenant_id: string | null;
            /** @description `null` where no domain is concerned. */
            domain: components["schemas"]["AuditedDomainDto"] | null;
            /** @description `null` where no record is concerned. */
            record: components["schemas"]["AuditedRecordDto"] | null;
            /** @description Whatever is neither domain nor record. */
            subject: components["schemas"]["AuditedSubjectDto"] | null;
            /** @description Of a domain and its records. */
            change: components["schemas"]["AuditedChangeDto"] | null;
            /**
             * @description What was said of the subject, never a secret.
             * @example null
             */
            details: Record<string, never> | null;
        };
        AuditDto: {
            /** @description Latest first. */
            audit: components["schemas"]["AuditEntryDto"][];
            links: components["schemas"]["LinksDto"];
        };
        FlatQuotaDto: {
            /** @example 10 */
            domains: number;
            /** @example 500 */
            domain_recordsets: number;
            /** @example 500 */
            domain_records: number;
            /** @example 20 */
            recordset_records: number;
            /** @example 1000 */
            api_export_size: number;
        };
        FlatQuotaChangeDto: {
            /**
             * @description Domains of the tenant.
             * @example 20
             */
            domains?: number;
            /**
             * @description Pairs of name and type in a domain.
             * @example 20
             */
            domain_recordsets?: number;
            /**
             * @description Records in a domain.
             * @example 20
             */
            domain_records?: number;
            /**
             * @description Records of one name and type.
             * @example 20
             */
            recordset_records?: number;
            /**
             * @description Records in a zone export through the API.
             * @example 20
             */
            api_export_size?: number;
        };
        EventDomainDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4
             */
            id: string;
            /** @example example.org. */
            name: string;
        };
        EventActorDto: {
            /** @example acme */
            tenant_id: string;
        };
        EventDataDto: {
            domain: components["schemas"]["EventDomainDto"];
            /**
             * @description Of the entry in the history of the domain.
             * @example 4
             */
            number: number;
            /** @example 1763627400 */
            serial: number;
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70
             */
            change_id: string;
            /**
             * @example record.create
             * @enum {string}
             */
            action: "domain.create" | "domain.update" | "domain.delete" | "domain.serial" | "domain.transfer" | "domain.regenerate" | "record.create" | "record.update" | "record.delete";
            actor: components["schemas"]["EventActorDto"];
            /** @example req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11 */
            request_id: string;
            /** @description The record or the domain; `null` where there was none. */
            before: (components["schemas"]["RecordDto"] | components["schemas"]["DomainDto"]) | null;
            /** @description The record or the domain; `null` where there is none any more. */
            after: (components["schemas"]["RecordDto"] | components["schemas"]["DomainDto"]) | null;
        };
        PublicationEventDataDto: {
            domain: components["schemas"]["EventDomainDto"];
            /**
             * @description Of an entry in the history of the domain: the last that has arrived, or that lags.
             * @example 4
             */
            number: number;
            /**
             * @description Of the domain after that entry.
             * @example 1763627400
             */
            serial: number;
            /**
             * @description When the change was made; of a domain that lags, the first that has not arrived.
             * @example 2026-11-20T08:30:00.123456
             */
            changed_at: string;
            /**
             * @description The name servers that lack the change.
             * @example [
             *       "192.0.2.53:53"
             *     ]
             */
            servers: string[];
        };
        AliasEventDataDto: {
            domain: components["schemas"]["EventDomainDto"];
            /** @example lb.example.net. */
            target: string;
            /**
             * @example missing
             * @enum {string}
             */
            state: "missing" | "failing" | "refused" | "looping" | "resolved";
            /**
             * @description Why it is not resolved.
             * @example the resolver says that it does not exist
             */
            problem: string | null;
            /**
             * @description Since when it has no usable addresses, or has them again.
             * @example 2026-11-20T08:30:00.123456
             */
            since: string;
            /**
             * @description Up to 20 names of the domain that follow the target.
             * @example [
             *       "www.example.org."
             *     ]
             */
            owners: string[];
            /**
             * @description The number of these names, counted up to 500.
             * @example 1
             */
            owner_count: number;
        };
        EventCountsDto: {
            /** @example 1 */
            errors: number;
            /** @example 0 */
            warnings: number;
            /** @example 2 */
            notices: number;
        };
        EventFindingDto: {
            /** @enum {string} */
            severity: "error";
            /** @example example.org. */
            name: string;
            /** @example NS */
            type: string;
            /** @example server_silent */
            kind: string;
            /**
             * @description The test of Zonemaster that finds the same.
             * @example CONNECTIVITY01
             */
            test: string | null;
            /** @description The problem, and how to fix it. */
            message: string;
        };
        LiveCheckEventDataDto: {
            domain: components["schemas"]["EventDomainDto"];
            /** @example 2026-11-20T08:30:00.123456 */
            checked_at: string;
            /** @description Of all findings. */
            counts: components["schemas"]["EventCountsDto"];
            /** @description The first 20 errors. */
            findings: components["schemas"]["EventFindingDto"][];
        };
        CloudEventDto: {
            /** @enum {string} */
            specversion: "1.0";
            /**
             * @description The same for every delivery of the event.
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4:4
             */
            id: string;
            /**
             * @example zonewright.record.created
             * @enum {string}
             */
            type: "zonewright.domain.created" | "zonewright.domain.updated" | "zonewright.domain.deleted" | "zonewright.domain.serial_raised" | "zonewright.domain.transferred" | "zonewright.domain.regenerated" | "zonewright.record.created" | "zonewright.record.updated" | "zonewright.record.deleted" | "zonewright.domain.published" | "zonewright.domain.lagging" | "zonewright.domain.alias_failing" | "zonewright.domain.alias_recovered" | "zonewright.domain.live_check_failing" | "zonewright.domain.live_check_recovered";
            /** @example /v1/domains/019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4 */
            source: string;
            /**
             * @description Not for a step of the domain itself.
             * @example records/019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d
             */
            subject?: string;
            /** @example 2026-11-20T08:30:00.123456Z */
            time: string;
            /** @enum {string} */
            datacontenttype: "application/json";
            /** @description Of `zonewright.domain.published` and `.lagging` how the change stands to the name servers; of `.alias_failing` and `.alias_recovered` the target; of `.live_check_failing` and `.live_check_recovered` the result of the check. */
            data: components["schemas"]["EventDataDto"] | components["schemas"]["PublicationEventDataDto"] | components["schemas"]["AliasEventDataDto"] | components["schemas"]["LiveCheckEventDataDto"];
        };
        CreateWebhookDto: {
            /**
             * @description Where events are sent by POST.
             * @example https://hooks.example.org/dns
             */
            url: string;
            /** @example flush the cache */
            description?: string | null;
            /**
             * @description Default: true. Changes made while it is false are not sent later either.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Names or ids of domains; null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains?: string[] | null;
            /**
             * @description Of `domain.create`, `domain.update`, `domain.delete`, `domain.serial`, `domain.transfer`, `domain.regenerate`, `record.create`, `record.update`, `record.delete`, `domain.published`, `domain.lagging`, `domain.alias_failing`, `domain.alias_recovered`, `domain.live_check_failing`, `domain.live_check_recovered`; null: all but the last six.
             * @example [
             *       "record.create",
             *       "record.update",
             *       "record.delete"
             *     ]
             */
            actions?: string[] | null;
            /**
             * @description Only events of domains that have all of these labels when the event is read.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
        };
        WebhookWithSecretDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7d10-8000-2b9c0e4f6a81
             */
            id: string;
            /** @example acme */
            tenant_id: string;
            /**
             * @description To a caller who may only read: without its path and query.
             * @example https://hooks.example.org/dns
             */
            url: string;
            /** @example flush the cache */
            description: string | null;
            /** @example true */
            enabled: boolean;
            /**
             * @description `gone`: the service has disabled it, because its target answered 410.
             * @example null
             * @enum {string|null}
             */
            disabled_because: "gone" | null;
            /**
             * @description Names or ids of domains; null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Of `domain.create`, `domain.update`, `domain.delete`, `domain.serial`, `domain.transfer`, `domain.regenerate`, `record.create`, `record.update`, `record.delete`, `domain.published`, `domain.lagging`, `domain.alias_failing`, `domain.alias_recovered`, `domain.live_check_failing`, `domain.live_check_recovered`; null: all but the last six.
             * @example [
             *       "record.create",
             *       "record.update",
             *       "record.delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Left out where there are none.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description Until when the former secret signs as well; null: there is none.
             * @example 2026-11-21T08:30:00.000000
             */
            former_secret_until: string | null;
            /**
             * @description When its queue last had no room for an event; null: never.
             * @example null
             */
            overflowed_at: string | null;
            /** @example 2026-11-21T08:30:00.000000 */
            created_at: string;
            /** @example null */
            updated_at: string | null;
            /**
             * @description In the answer to a create or update: what was accepted but may be a mistake.
             * @example [
             *       "There is no domain example.net. yet; its events are sent once the tenant has made it."
             *     ]
             */
            warnings?: string[];
            /**
             * @description The key that verifies signatures (Standard Webhooks). It is shown only once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwXvvJ0dEqxPk=
             */
            secret: string;
        };
        WebhookDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7d10-8000-2b9c0e4f6a81
             */
            id: string;
            /** @example acme */
            tenant_id: string;
            /**
             * @description To a caller who may only read: without its path and query.
             * @example https://hooks.example.org/dns
             */
            url: string;
            /** @example flush the cache */
            description: string | null;
            /** @example true */
            enabled: boolean;
            /**
             * @description `gone`: the service has disabled it, because its target answered 410.
             * @example null
             * @enum {string|null}
             */
            disabled_because: "gone" | null;
            /**
             * @description Names or ids of domains; null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains: string[] | null;
            /**
             * @description Of `domain.create`, `domain.update`, `domain.delete`, `domain.serial`, `domain.transfer`, `domain.regenerate`, `record.create`, `record.update`, `record.delete`, `domain.published`, `domain.lagging`, `domain.alias_failing`, `domain.alias_recovered`, `domain.live_check_failing`, `domain.live_check_recovered`; null: all but the last six.
             * @example [
             *       "record.create",
             *       "record.update",
             *       "record.delete"
             *     ]
             */
            actions: string[] | null;
            /**
             * @description Left out where there are none.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description Until when the former secret signs as well; null: there is none.
             * @example 2026-11-21T08:30:00.000000
             */
            former_secret_until: string | null;
            /**
             * @description When its queue last had no room for an event; null: never.
             * @example null
             */
            overflowed_at: string | null;
            /** @example 2026-11-21T08:30:00.000000 */
            created_at: string;
            /** @example null */
            updated_at: string | null;
            /**
             * @description In the answer to a create or update: what was accepted but may be a mistake.
             * @example [
             *       "There is no domain example.net. yet; its events are sent once the tenant has made it."
             *     ]
             */
            warnings?: string[];
        };
        WebhookListDto: {
            webhooks: components["schemas"]["WebhookDto"][];
        };
        UpdateWebhookDto: {
            /**
             * @description Where events are sent by POST.
             * @example https://hooks.example.org/dns
             */
            url?: string;
            /** @example flush the cache */
            description?: string | null;
            /**
             * @description Default: true. Changes made while it is false are not sent later either.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description Names or ids of domains; null: all.
             * @example [
             *       "example.org."
             *     ]
             */
            domains?: string[] | null;
            /**
             * @description Of `domain.create`, `domain.update`, `domain.delete`, `domain.serial`, `domain.transfer`, `domain.regenerate`, `record.create`, `record.update`, `record.delete`, `domain.published`, `domain.lagging`, `domain.alias_failing`, `domain.alias_recovered`, `domain.live_check_failing`, `domain.live_check_recovered`; null: all but the last six.
             * @example [
             *       "record.create",
             *       "record.update",
             *       "record.delete"
             *     ]
             */
            actions?: string[] | null;
            /**
             * @description Only events of domains that have all of these labels when the event is read.
             * @example {
             *       "team": "web"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
        };
        DeliveryDto: {
            /**
             * Format: uuid
             * @example 019aa5f4-9c1e-7f3a-8000-5d1f0b2c7e94
             */
            id: string;
            /**
             * @description Of the event, and `webhook-id`.
             * @example 019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4:4
             */
            event_id: string;
            /** @example zonewright.record.created */
            event_type: string;
            /**
             * Format: uuid
             * @description Null for a test.
             */
            domain_id: string | null;
            /**
             * @example delivered
             * @enum {string}
             */
            status: "waiting" | "delivered" | "dead";
            /** @example 1 */
            attempts: number;
            /**
             * @description The status of the latest answer.
             * @example 204
             */
            answer: number | null;
            /**
             * @description Why the latest attempt failed.
             * @example null
             */
            fault: string | null;
            /** @example 2026-11-20T08:30:00.123456 */
            created_at: string;
            /**
             * @description When the latest attempt ended.
             * @example 2026-11-20T08:30:00.123456
             */
            attempted_at: string | null;
            /**
             * @description After this time it becomes a dead letter.
             * @example 2026-11-20T08:30:00.123456
             */
            retry_until: string;
        };
        DeliveryListDto: {
            /** @description Only with `limit`. */
            links?: components["schemas"]["LinksDto"];
            /** @description The oldest first. */
            deliveries: components["schemas"]["DeliveryDto"][];
        };
        ReplayedDto: {
            /**
             * @description How many dead letters wait again.
             * @example 12
             */
            replayed: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
