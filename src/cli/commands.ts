import { type Command, command, flagOption, repeatedOption, requiredOption, textOption } from '../plugins/command.js';
import type { ProgramContext } from './program-context.js';

/** Built-in commands. Each loads its code when it runs, so `zonewright --help` stays fast. */

const SERVE = command({
  name: 'serve',
  description: 'run the service, as npm start does',
  run: async ({ composition }: ProgramContext) => (await import('../app/serve.js')).serve(composition),
});

const MDNS = command({
  name: 'mdns',
  description: 'run the name server without the API',
  options: {
    onStandby: flagOption('--standby', 'read only from [database] read_urls, when the primary is unreachable'),
  },
  run: async (context: ProgramContext, { options }) =>
    (await import('./commands/mdns.command.js')).answerNameServers(context, options.onStandby),
});

const MIGRATE = command({
  name: 'migrate',
  description: 'migrate the database to this release, even while the previous release runs',
  options: {
    contracts: flagOption('--contract', 'also drop what only earlier releases need; stop them first'),
  },
  run: async (context: ProgramContext, given) =>
    (await import('./commands/database.command.js')).migrate(context, given.options),
});

const CHECK = command({
  name: 'check',
  description: 'check the database file, all counters and all records; exits with 1 on a fault',
  options: {
    isRepairing: flagOption('--fix', 'correct wrong counters'),
    raisesSerials: flagOption(
      '--raise-serials',
      'after restoring an older database: raise all serials above those of the name servers',
    ),
    margin: textOption('--by <number>', 'how far above the current time (default: 1000000)'),
  },
  run: async (context: ProgramContext, given) =>
    (await import('./commands/check.command.js')).check(context, given.options),
});

const BACKUP = command({
  name: 'backup',
  description: 'back up the database to a file, even while the service runs',
  arguments: '<file>',
  run: async (context: ProgramContext, given) =>
    (await import('./commands/database.command.js')).backup(context, given.arguments),
});

const RESTRICTIONS = {
  domains: repeatedOption('--domain <name...>', 'limit it to these domains'),
  names: repeatedOption('--name <pattern...>', 'limit it to these owner names; * stands for any characters'),
  types: repeatedOption('--type <type...>', 'limit it to records of these types'),
  actions: repeatedOption('--action <action...>', 'limit it to create, update or delete'),
  networks: repeatedOption('--from <network...>', 'limit it to clients with these addresses, as in 192.0.2.0/24'),
};

const TOKEN: Command = {
  name: 'token',
  description: 'create, list and revoke tokens',
  commands: [
    command({
      name: 'create',
      description: 'create a token and show it once',
      options: {
        tenant: requiredOption('--tenant <id>', 'the tenant whose zones the token is for'),
        roles: repeatedOption('--role <name...>', 'admin, member (default) or reader; may be repeated'),
        ...RESTRICTIONS,
        labels: repeatedOption('--label <label...>', 'limit it to domains with these labels, as in team=web'),
        acme: repeatedOption('--acme <name...>', 'limit it to the records for an ACME certificate of this name'),
        expires: textOption('--expires <when>', '30d, 12h, 45m, or a date such as 2027-01-31T00:00:00Z'),
        description: textOption('--description <text>', 'a description'),
      },
      run: async (context, given) => (await import('./commands/token.command.js')).createToken(context, given.options),
    }),
    command({
      name: 'list',
      description: 'list the tokens, without their secret values',
      run: async (context) => (await import('./commands/token.command.js')).listTokens(context),
    }),
    command({
      name: 'revoke',
      description: 'revoke a token, or all tokens of a user',
      arguments: '[id]',
      options: {
        user: textOption('--user <name>', 'tokens that this user of an OIDC issuer or Keystone created'),
        tenant: textOption('--tenant <id>', 'only tokens of this tenant'),
      },
      run: async (context, given) => (await import('./commands/token.command.js')).revokeTokens(context, given),
    }),
  ],
};

const UPDATE_KEY: Command = {
  name: 'update-key',
  description: 'create, list and revoke TSIG keys for DNS UPDATE (RFC 2136)',
  commands: [
    command({
      name: 'create',
      description: 'create a TSIG key and show it once, in the form of nsupdate -y',
      arguments: '<name>',
      options: {
        tenant: requiredOption('--tenant <id>', 'the tenant whose zones the key updates'),
        algorithm: textOption('--algorithm <name>', 'hmac-sha256 (default), hmac-sha384 or hmac-sha512'),
        secretFile: textOption('--secret-file <file>', 'a file with the secret in base64 (default: a new secret)'),
        ...RESTRICTIONS,
        expires: textOption('--expires <when>', '30d, 12h, 45m, or a date such as 2027-01-31T00:00:00Z'),
        description: textOption('--description <text>', 'a description'),
      },
      run: async (context, given) =>
        (await import('./commands/update-key.command.js')).createUpdateKey(context, given.arguments, given.options),
    }),
    command({
      name: 'list',
      description: 'list the update keys of all tenants, without their secrets',
      run: async (context) => (await import('./commands/update-key.command.js')).listUpdateKeys(context),
    }),
    command({
      name: 'revoke',
      description: 'revoke an update key',
      arguments: '<key>',
      run: async (context, given) =>
        (await import('./commands/update-key.command.js')).revokeUpdateKey(context, given.arguments),
    }),
  ],
};

const AUDIT = command({
  name: 'audit',
  description: 'show the audit log, latest first',
  options: {
    tenant: textOption('--tenant <id>', 'only actions of this tenant and on its zones, tokens and quotas'),
    token: textOption('--token <id>', 'only actions with this token'),
    user: textOption('--user <name>', 'only actions of this user'),
    address: textOption('--address <address>', 'only actions from this address'),
    domain: textOption('--domain <name>', 'only actions on this domain and its records'),
    action: textOption('--action <action>', 'only this action, such as domain.delete, or this kind, such as token'),
    since: textOption('--since <time>', 'not before this time, such as 2026-11-20T08:30:00Z'),
    until: textOption('--until <time>', 'before this time'),
    limit: textOption('--limit <number>', 'maximum entries (default: 100; with --json all)'),
    isJson: flagOption('--json', 'write each entry as a line of JSON, as GET /admin/audit does'),
  },
  run: async (context, given) => (await import('./commands/audit.command.js')).showAudit(context, given.options),
});

const ZONE: Command = {
  name: 'zone',
  description: 'import, export, check and compare zones',
  commands: [
    command({
      name: 'import',
      description: 'import a zone file in one transaction',
      arguments: '<file>',
      options: {
        domain: textOption('--domain <name>', 'the domain (default: the name of the file)'),
        creates: flagOption('--create', 'create a missing zone; needs --email'),
        email: textOption('--email <address>', 'the administrator mailbox of a new zone'),
        tenant: textOption('--tenant <id>', 'the owner of a new zone (default: admin)'),
        mode: textOption('--mode <mode>', 'merge (default), or replace: also delete records that the file lacks'),
        dryRun: flagOption('--dry-run', 'check and count without storing'),
        diff: flagOption('--diff', 'show the differences without storing'),
        incomplete: flagOption('--incomplete', 'import a file even if it is marked as incomplete'),
      },
      run: async (context, given) => (await import('./commands/zone-files.command.js')).importZone(context, given),
    }),
    command({
      name: 'export',
      description: 'export a zone as a zone file',
      arguments: '<name>',
      options: { output: textOption('-o, --output <file>', 'output file (default: standard output)') },
      run: async (context, given) => (await import('./commands/zone-files.command.js')).exportZone(context, given),
    }),
    command({
      name: 'history',
      description: 'show the changes of a zone, even a deleted one, latest first',
      arguments: '<name>',
      options: {
        name: textOption('--name <name>', 'only records with this owner name'),
        type: textOption('--type <type>', 'only records of this type'),
        since: textOption('--since <time>', 'not before this time, such as 2026-11-20T08:30:00Z'),
        before: textOption('--before <number>', 'only entries with lower numbers'),
        limit: textOption('--limit <number>', 'maximum entries (default: 100)'),
      },
      run: async (context, given) => (await import('./commands/zone-history.command.js')).showHistory(context, given),
    }),
    command({
      name: 'diff',
      description: 'compare a zone with a file, or two serials; exits with 2 on differences',
      arguments: '<name> [file]',
      options: {
        from: textOption('--from <serial>', 'the first serial, instead of a file'),
        to: textOption('--to <serial>', 'the second serial (default: the current one)'),
      },
      run: async (context, given) => (await import('./commands/zone-history.command.js')).diffZone(context, given),
    }),
    command({
      name: 'revert',
      description: 'restore the records of a zone as they were at a serial',
      arguments: '<name>',
      options: {
        serial: requiredOption('--serial <serial>', 'the serial to go back to'),
        dryRun: flagOption('--dry-run', 'check and show the changes without storing'),
      },
      run: async (context, given) => (await import('./commands/zone-history.command.js')).revertZone(context, given),
    }),
    command({
      name: 'status',
      description: 'show which name servers have the current serial of a zone; exits with 1 unless all have it',
      arguments: '<name>',
      options: { waits: flagOption('--wait', 'wait until all have it, at most a minute') },
      run: async (context, given) => (await import('./commands/zone-status.command.js')).showStatus(context, given),
    }),
    command({
      name: 'check',
      description: 'check a zone by the rules of name servers; exits with 1 on errors',
      arguments: '<name>',
      options: { isLive: flagOption('--live', 'also check its delegation, name servers and targets in the live DNS') },
      run: async (context, given) => (await import('./commands/zone-status.command.js')).checkZone(context, given),
    }),
    command({
      name: 'label',
      description: 'show, set (key=value) or remove (key-) the labels of a zone or of a record set',
      arguments: '<name> [labels...]',
      options: { set: textOption('--set <name/type>', 'of this record set, as in www.example.org./A') },
      run: async (context, given) => (await import('./commands/zone-label.command.js')).labelZone(context, given),
    }),
    command({
      name: 'reverse',
      description: 'create the missing PTR records of a zone with the label reverse=true',
      arguments: '<name>',
      options: { isDryRun: flagOption('--dry-run', 'only print them') },
      run: async (context, given) => (await import('./commands/zone-reverse.command.js')).buildReverse(context, given),
    }),
  ],
};

const TEMPLATE: Command = {
  name: 'template',
  description: 'list, show and apply zone templates',
  commands: [
    command({
      name: 'list',
      description: 'list the templates for all tenants, and the built-in ones',
      options: { tenant: textOption('--tenant <id>', 'those that this tenant can choose') },
      run: async (context, given) =>
        (await import('./commands/template.command.js')).listTemplates(context, given.options),
    }),
    command({
      name: 'show',
      description: 'show the records of a template',
      arguments: '<name>',
      options: { tenant: textOption('--tenant <id>', 'the template of this tenant (default: that for all tenants)') },
      run: async (context, given) => (await import('./commands/template.command.js')).showTemplate(context, given),
    }),
    command({
      name: 'apply',
      description: 'add the records of a template to a zone',
      arguments: '<zone> <name>',
      options: {
        isDryRun: flagOption('--dry-run', 'show the changes without storing'),
        replaces: flagOption('--replace', 'replace records that contradict the template'),
      },
      run: async (context, given) => (await import('./commands/template.command.js')).applyTemplate(context, given),
    }),
  ],
};

const FOLDER = {
  tenant: textOption('--tenant <id>', 'only zones of this tenant; new zones belong to it (default: admin)'),
  creates: flagOption('--create', 'create the zones that do not exist'),
  email: textOption(
    '--email <address>',
    'the administrator mailbox of new zones (default: that of the SOA in the file)',
  ),
  variables: repeatedOption('--var <name=value...>', 'values for ${NAME} in the files, before those of variables.yaml'),
  maxDeletes: textOption('--max-deletes <limit>', 'reject a zone that would lose more records: 30% (default) or 12'),
  owner: textOption('--owner <name>', 'only record sets with the label owner=NAME, which new sets get'),
  adopts: flagOption('--adopt', 'give the record sets in the files that have no owner to --owner'),
  isJson: flagOption('--json', 'write the report as JSON'),
  isMarkdown: flagOption('--markdown', 'write the report as Markdown, for a pull request'),
};

const PLAN = command({
  name: 'plan',
  description: 'compare a folder of zone files with the zones; exits with 2 on differences',
  arguments: '<dir>',
  options: { ...FOLDER, out: textOption('--out <file>', 'keep the versions of the zones for apply --plan') },
  run: async (context, given) => (await import('./commands/zone-folder.command.js')).planFolder(context, given),
});

const APPLY = command({
  name: 'apply',
  description: 'make the zones equal to a folder of zone files, each in one change',
  arguments: '<dir>',
  options: {
    ...FOLDER,
    plan: textOption('--plan <file>', 'reject zones and files that have changed since this plan'),
    message: textOption('--message <text>', 'a message for the history of the zones'),
  },
  run: async (context, given) => (await import('./commands/zone-folder.command.js')).applyFolder(context, given),
});

const EXPORT = command({
  name: 'export',
  description: 'write all or some zones into a folder, for plan and apply',
  arguments: '<dir> [names...]',
  options: {
    tenant: textOption('--tenant <id>', 'only zones of this tenant'),
    owner: textOption('--owner <name>', 'only record sets with the label owner=NAME'),
    format: textOption('--format <format>', 'zone (default), or yaml in the schema of octoDNS'),
  },
  run: async (context, given) => (await import('./commands/zone-folder.command.js')).exportFolder(context, given),
});

const IMPORT_POWERDNS = command({
  name: 'import-powerdns',
  description: 'import all zones of a PowerDNS server through its API, after a check',
  arguments: '<url>',
  options: {
    key: textOption('--key <key>', 'the API key of PowerDNS'),
    keyFile: textOption('--key-file <file>', 'a file with the API key'),
    tenant: textOption('--tenant <id>', 'the owner of the zones (default: admin)'),
    isCheck: flagOption('--check', 'check and compare without storing'),
    skipsRefused: flagOption('--skip-refused', 'import the other zones even if some are rejected'),
    leavesKeys: flagOption('--without-keys', 'import signed zones unsigned'),
  },
  run: async (context, given) =>
    (await import('./commands/import-powerdns.command.js')).importFromPowerDns(context, given),
});
/** Loading the algorithms would take longer than the help. */
const ALGORITHM_NAMES = 'ECDSAP256SHA256, ECDSAP384SHA384, ED25519, ED448 or RSASHA256';

const DNSSEC: Command = {
  name: 'dnssec',
  description: 'manage signed domains',
  commands: [
    command({
      name: 'enable',
      description: 'start signing a domain',
      arguments: '<name>',
      options: {
        algorithm: textOption('--algorithm <name>', `${ALGORITHM_NAMES} (default: the configuration)`),
        denial: textOption('--denial <kind>', 'nsec or nsec3 (default: the configuration)'),
        splitsKeys: flagOption('--split-keys', 'a KSK and a ZSK instead of a CSK'),
        offlineKsk: textOption('--offline-ksk <file>', 'the DNSKEY record of a KSK whose private key stays elsewhere'),
        keys: repeatedOption(
          '--key <file...>',
          'a key of the former signer, such as Kexample.org.+013+12345: the DNSKEY record in .key, the private key in .private or .pem',
        ),
      },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).enableDnssec(context, given),
    }),
    command({
      name: 'disable',
      description: 'stop signing a domain without a DS',
      arguments: '<name>',
      run: async (context, given) =>
        (await import('./commands/dnssec.command.js')).disableDnssec(context, given.arguments),
    }),
    command({
      name: 'status',
      description: 'show the signing state of a domain, its keys and the next step',
      arguments: '[name]',
      options: { isBroken: flagOption('--broken', 'all domains that are halted or have late renewals') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).showDnssec(context, given),
    }),
    command({
      name: 'parent',
      description: 'report that the parent zone has a DS (published), or none on any name server (removed)',
      arguments: '<name> <ds>',
      options: { ttl: textOption('--ttl <seconds>', 'the TTL of the removed DS (default: 86400)') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).noteParent(context, given),
    }),
    command({
      name: 'roll',
      description: 'roll the csk, ksk or zsk, or all keys to another algorithm; another signer joins or leaves',
      arguments: '<name> <key>',
      options: {
        algorithm: textOption('--algorithm <name>', `with "algorithm": ${ALGORITHM_NAMES}`),
        isEmergency: flagOption('--emergency', 'the key is compromised: remove it as soon as possible'),
        signer: textOption('--signer <name>', 'with "join" and "leave": your name for the other signer'),
        dnskeys: repeatedOption(
          '--dnskey <file>',
          'with "join": a file with a DNSKEY record of the other signer, for each key; with "ksk": of the new offline KSK',
        ),
        ttl: textOption(
          '--ttl <seconds>',
          'with "leave": the TTL of its NS records in the parent zone (default: 172800)',
        ),
      },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).rollKey(context, given),
    }),
    command({
      name: 'ksr',
      description: 'print a key signing request for the offline KSK of a domain',
      arguments: '<name>',
      options: { days: textOption('--days <number>', 'how long the signatures shall last, 1 to 180 (default: 90)') },
      run: async (context, given) =>
        (await import('./commands/offline-keys.command.js')).printKeyRequest(context, given),
    }),
    command({
      name: 'sign-ksr',
      description: 'sign a key signing request where the KSK is, and print the signed key response; needs no database',
      arguments: '<name> <file>',
      options: {
        keys: repeatedOption('--key <file...>', 'a KSK, such as Kexample.org.+013+12345'),
        days: textOption('--validity <days>', 'of each signature, 8 to 90 (default: 14)'),
      },
      run: async (_, given) => (await import('./commands/offline-keys.command.js')).signKeyRequest(given),
    }),
    command({
      name: 'import-skr',
      description: 'store a signed key response of the offline KSK of a domain',
      arguments: '<name> <file>',
      run: async (context, given) =>
        (await import('./commands/offline-keys.command.js')).importKeyResponse(context, given),
    }),
    command({
      name: 'resign',
      description: 'sign a domain anew, and end a halt',
      arguments: '[name]',
      options: { all: flagOption('--all', 'all signed domains, for example after a wrong clock') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).resign(context, given),
    }),
    command({
      name: 'ds',
      description: 'print the DS records for the parent zone; exits with 1 while the parent must not have them',
      arguments: '<name>',
      run: async (context, given) => (await import('./commands/dnssec.command.js')).showDs(context, given.arguments),
    }),
    command({
      name: 'export-keys',
      description: 'export the keys of a domain, with private keys',
      arguments: '<name>',
      options: {
        directory: textOption('--directory <path>', 'output directory (default: the current one)'),
        format: textOption('--format <name>', 'bind (.private) or pem (.pem, for Knot and HSMs) (default: bind)'),
      },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).exportKeys(context, given),
    }),
    command({
      name: 'rewrap',
      description: 'encrypt all private keys with the first of key_encryption_keys',
      run: async (context) => (await import('./commands/dnssec.command.js')).rewrapKeys(context),
    }),
    command({
      name: 'check',
      description: 'verify all signatures and the chain of a signed domain; exits with 1 on a fault',
      arguments: '[name]',
      options: { all: flagOption('--all', 'all signed domains') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).checkDnssec(context, given),
    }),
  ],
};

const POOL: Command = {
  name: 'pool',
  description: 'check the name servers of the pool',
  commands: [
    command({
      name: 'check',
      description: 'query all name servers for all record sets of all or some domains; exits with 1 on differences',
      arguments: '[names...]',
      options: {
        after: textOption('--after <name>', 'continue after this domain, in name order'),
        rate: textOption('--rate <number>', 'queries to each server per second, 1 to 100 (default: 100)'),
      },
      run: async (context, given) => (await import('./commands/pool-check.command.js')).checkPool(context, given),
    }),
    command({
      name: 'sync',
      description: 'print the zones that NSD must add and remove; reads the output of zonestatus from standard input',
      options: {
        pattern: requiredOption('--pattern <name>', 'the pattern in nsd.conf for the zones'),
        control: textOption('--control <command>', 'run this command to query and change NSD: "nsd-control"'),
      },
      run: async (context, given) => (await import('./commands/pool-sync.command.js')).syncPool(context, given),
    }),
  ],
};

const PLUGIN: Command<ProgramContext> = {
  name: 'plugin',
  description: 'create plugins',
  commands: [
    command({
      name: 'new',
      description: 'create a plugin package with tests',
      arguments: '<name>',
      options: { directory: textOption('--directory <path>', 'an empty output directory (default: the name)') },
      run: async (context: ProgramContext, given) =>
        (await import('./commands/plugin-new.command.js')).newPlugin(context, given),
    }),
  ],
};

export const COMMANDS: readonly Command<ProgramContext>[] = [
  SERVE,
  MDNS,
  MIGRATE,
  CHECK,
  BACKUP,
  TOKEN,
  UPDATE_KEY,
  AUDIT,
  ZONE,
  TEMPLATE,
  PLAN,
  APPLY,
  EXPORT,
  IMPORT_POWERDNS,
  DNSSEC,
  POOL,
  PLUGIN,
];
