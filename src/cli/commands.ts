import { type Command, command, flagOption, repeatedOption, requiredOption, textOption } from '../plugins/command.js';
import type { ProgramContext } from './program-context.js';

/** Our commands. Each loads what it does when it runs: `zonewright --help` needs none of it. */

const SERVE = command({
  name: 'serve',
  description: 'run the service, as npm start does',
  run: async ({ composition }: ProgramContext) => (await import('../app/serve.js')).serve(composition),
});

const MDNS = command({
  name: 'mdns',
  description: 'answer name servers only, without the API',
  options: {
    onStandby: flagOption('--standby', 'read from [database] read_urls alone, where the primary may be out of reach'),
  },
  run: async (context: ProgramContext, { options }) =>
    (await import('./commands/mdns.command.js')).answerNameServers(context, options.onStandby),
});

const MIGRATE = command({
  name: 'migrate',
  description: 'bring the database up to date, also while the release before serves it',
  options: {
    contracts: flagOption('--contract', 'take away what only earlier releases need, of which none may be at work'),
  },
  run: async (context: ProgramContext, given) =>
    (await import('./commands/migrate.command.js')).migrate(context, given.options),
});

const CHECK = command({
  name: 'check',
  description: 'check the database file, all counters and all records; exits with 1 when something is wrong',
  options: {
    isRepairing: flagOption('--fix', 'correct wrong counters'),
    raisesSerials: flagOption(
      '--raise-serials',
      'after an older database was restored: raise all serials above those that name servers have seen',
    ),
    margin: textOption('--by <number>', 'how far above the current time (default: 1000000)'),
  },
  run: async (context: ProgramContext, given) =>
    (await import('./commands/check.command.js')).check(context, given.options),
});

const BACKUP = command({
  name: 'backup',
  description: 'write the database as it is now into a file, also while the service runs',
  arguments: '<file>',
  run: async (context: ProgramContext, given) =>
    (await import('./commands/backup.command.js')).backup(context, given.arguments),
});

const TOKEN: Command = {
  name: 'token',
  description: 'make, list and revoke tokens',
  commands: [
    command({
      name: 'create',
      description: 'make a token and show it, only this time',
      options: {
        tenant: requiredOption('--tenant <id>', 'the tenant whose zones the token is for'),
        roles: repeatedOption('--role <name...>', 'admin, member (default) or reader; may be repeated'),
        domains: repeatedOption('--domain <name...>', 'limit it to these domains; it sees no others'),
        names: repeatedOption('--name <pattern...>', 'limit it to these owner names; * stands for any characters'),
        types: repeatedOption('--type <type...>', 'limit it to records of these types'),
        actions: repeatedOption('--action <action...>', 'limit it to create, update or delete'),
        networks: repeatedOption('--from <network...>', 'limit it to clients with these addresses, as in 192.0.2.0/24'),
        acme: repeatedOption('--acme <name...>', 'limit it to what an ACME certificate of that name needs'),
        expires: textOption('--expires <when>', '30d, 12h, 45m, or a date such as 2027-01-31T00:00:00Z'),
        description: textOption('--description <text>', 'what it is for'),
      },
      run: async (context, given) => (await import('./commands/token.command.js')).createToken(context, given.options),
    }),
    command({
      name: 'list',
      description: 'list the tokens, without their values, which are not stored',
      run: async (context) => (await import('./commands/token.command.js')).listTokens(context),
    }),
    command({
      name: 'revoke',
      description: 'revoke a token at once, or all that a user has made',
      arguments: '[id]',
      options: {
        user: textOption(
          '--user <name>',
          'those that this user has made with a credential of an issuer or of Keystone',
        ),
        tenant: textOption('--tenant <id>', 'only those of this tenant'),
      },
      run: async (context, given) => (await import('./commands/token.command.js')).revokeTokens(context, given),
    }),
  ],
};

const UPDATE_KEY: Command = {
  name: 'update-key',
  description: 'make, list and revoke keys that update zones over DNS (RFC 2136)',
  commands: [
    command({
      name: 'create',
      description: 'make a TSIG key and show it, only this time, as nsupdate -y takes it',
      arguments: '<name>',
      options: {
        tenant: requiredOption('--tenant <id>', 'the tenant whose zones the key updates'),
        algorithm: textOption('--algorithm <name>', 'hmac-sha256 (default), hmac-sha384 or hmac-sha512'),
        secretFile: textOption('--secret-file <file>', 'a file with the secret in base64 (default: a new one is made)'),
        domains: repeatedOption('--domain <name...>', 'limit it to these domains; it sees no others'),
        names: repeatedOption('--name <pattern...>', 'limit it to these owner names; * stands for any characters'),
        types: repeatedOption('--type <type...>', 'limit it to records of these types'),
        actions: repeatedOption('--action <action...>', 'limit it to create, update or delete'),
        networks: repeatedOption('--from <network...>', 'limit it to clients with these addresses, as in 192.0.2.0/24'),
        expires: textOption('--expires <when>', '30d, 12h, 45m, or a date such as 2027-01-31T00:00:00Z'),
        description: textOption('--description <text>', 'what it is for'),
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
      description: 'revoke an update key at once',
      arguments: '<key>',
      run: async (context, given) =>
        (await import('./commands/update-key.command.js')).revokeUpdateKey(context, given.arguments),
    }),
  ],
};

const AUDIT = command({
  name: 'audit',
  description: 'show who did what to domains, records, tokens, quotas and so on, latest first',
  options: {
    tenant: textOption('--tenant <id>', 'what this tenant did, and what was done to its zones, tokens and quotas'),
    token: textOption('--token <id>', 'only what was done with this token'),
    user: textOption('--user <name>', 'only what this user did'),
    address: textOption('--address <address>', 'only what came from this address'),
    domain: textOption('--domain <name>', 'only what was done to this domain and in it'),
    action: textOption(
      '--action <action>',
      'only this action, such as domain.delete, or this kind of thing, such as token',
    ),
    since: textOption('--since <time>', 'nothing before this time, such as 2026-11-20T08:30:00Z'),
    until: textOption('--until <time>', 'nothing from this time on'),
    limit: textOption('--limit <number>', 'how many entries (default: 100; with --json all)'),
    isJson: flagOption('--json', 'write each entry as a line of JSON, as GET /admin/audit does'),
  },
  run: async (context, given) => (await import('./commands/audit.command.js')).showAudit(context, given.options),
});

const ZONE: Command = {
  name: 'zone',
  description: 'import, export and check zones, and look at their history',
  commands: [
    command({
      name: 'import',
      description: 'import a zone file, all of it or nothing',
      arguments: '<file>',
      options: {
        domain: textOption('--domain <name>', 'the domain (default: the name of the file)'),
        creates: flagOption('--create', 'create the zone when there is none; needs --email'),
        email: textOption('--email <address>', 'the mailbox of the administrator of a new zone'),
        tenant: textOption('--tenant <id>', 'the owner of a new zone (default: admin)'),
        mode: textOption('--mode <mode>', 'merge (default), or replace: also remove what the file lacks'),
        dryRun: flagOption('--dry-run', 'check and count everything, store nothing'),
        diff: flagOption('--diff', 'show which records would change, store nothing'),
        incomplete: flagOption('--incomplete', 'import a file although it says that records were left out of it'),
      },
      run: async (context, given) => (await import('./commands/zone-import.command.js')).importZone(context, given),
    }),
    command({
      name: 'export',
      description: 'write the zone file of a zone',
      arguments: '<name>',
      options: { output: textOption('-o, --output <file>', 'where to (default: standard output)') },
      run: async (context, given) => (await import('./commands/zone-export.command.js')).exportZone(context, given),
    }),
    command({
      name: 'history',
      description: 'show who changed what in a zone, latest first, also when it has been deleted',
      arguments: '<name>',
      options: {
        name: textOption('--name <name>', 'only records of this owner name'),
        type: textOption('--type <type>', 'only records of this type'),
        since: textOption('--since <time>', 'nothing before this time, such as 2026-11-20T08:30:00Z'),
        before: textOption('--before <number>', 'only entries with lower numbers'),
        limit: textOption('--limit <number>', 'how many entries (default: 100)'),
      },
      run: async (context, given) => (await import('./commands/zone-history.command.js')).showHistory(context, given),
    }),
    command({
      name: 'diff',
      description:
        'show which records differ between a zone and a file, or between two serials; exits with 2 when some do',
      arguments: '<name> [file]',
      options: {
        from: textOption('--from <serial>', 'instead of a file: the first serial'),
        to: textOption('--to <serial>', 'the second one (default: the present one)'),
      },
      run: async (context, given) => (await import('./commands/zone-diff.command.js')).diffZone(context, given),
    }),
    command({
      name: 'revert',
      description: 'restore the records of a zone as they were at a serial',
      arguments: '<name>',
      options: {
        serial: requiredOption('--serial <serial>', 'the serial to go back to'),
        dryRun: flagOption('--dry-run', 'check and show everything, store nothing'),
      },
      run: async (context, given) => (await import('./commands/zone-revert.command.js')).revertZone(context, given),
    }),
    command({
      name: 'status',
      description: 'show which name servers have the latest change of a zone; exits with 1 when one does not',
      arguments: '<name>',
      options: { waits: flagOption('--wait', 'wait until all have it, for a minute at most') },
      run: async (context, given) => (await import('./commands/zone-status.command.js')).showStatus(context, given),
    }),
    command({
      name: 'check',
      description: 'check a zone as name servers do; exits with 1 when they would refuse it',
      arguments: '<name>',
      run: async (context, given) =>
        (await import('./commands/zone-check.command.js')).checkZone(context, given.arguments),
    }),
  ],
};

const IMPORT_POWERDNS = command({
  name: 'import-powerdns',
  description: 'take over all zones of a PowerDNS by its API, with comments, accounts and kinds; checks them first',
  arguments: '<url>',
  options: {
    key: textOption('--key <key>', 'the api-key of PowerDNS'),
    keyFile: textOption('--key-file <file>', 'the same, in a file'),
    tenant: textOption('--tenant <id>', 'the owner of the zones (default: admin)'),
    isCheck: flagOption('--check', 'check them and say what differs, store nothing'),
    skipsRefused: flagOption('--skip-refused', 'import the others although some are refused'),
  },
  run: async (context, given) =>
    (await import('./commands/import-powerdns.command.js')).importFromPowerDns(context, given),
});
const DNSSEC: Command = {
  name: 'dnssec',
  description: 'signed domains',
  commands: [
    command({
      name: 'enable',
      description: 'have a domain signed by the service',
      arguments: '<name>',
      options: {
        algorithm: textOption(
          '--algorithm <name>',
          'ECDSAP256SHA256, ED25519 or RSASHA256 (default: the configuration)',
        ),
        denial: textOption('--denial <kind>', 'nsec or nsec3 (default: the configuration)'),
        splitsKeys: flagOption('--split-keys', 'one key for the keys and another for the rest, instead of one for all'),
        keys: repeatedOption('--key <file...>', 'a key that it has elsewhere, as in Kexample.org.+013+12345'),
      },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).enableDnssec(context, given),
    }),
    command({
      name: 'disable',
      description: 'take the signatures out of a domain for which no DS can have been set',
      arguments: '<name>',
      run: async (context, given) =>
        (await import('./commands/dnssec.command.js')).disableDnssec(context, given.arguments),
    }),
    command({
      name: 'status',
      description: 'show whether a domain is signed, with which keys, and what is waited for',
      arguments: '[name]',
      options: { isBroken: flagOption('--broken', 'all domains that are halted, or whose renewal is late') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).showDnssec(context, given),
    }),
    command({
      name: 'parent',
      description: 'say that the parent zone has a DS of the domain (published), or none on any name server (removed)',
      arguments: '<name> <ds>',
      options: { ttl: textOption('--ttl <seconds>', 'the ttl of the DS that was removed (default: 86400)') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).noteParent(context, given),
    }),
    command({
      name: 'roll',
      description:
        'have new keys take the place of others: of the csk, ksk or zsk, or of all by those of another algorithm',
      arguments: '<name> <key>',
      options: {
        algorithm: textOption('--algorithm <name>', 'with "algorithm": ECDSAP256SHA256, ED25519 or RSASHA256'),
        isEmergency: flagOption('--emergency', 'others may have the key: it goes as soon as it safely can'),
      },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).rollKey(context, given),
    }),
    command({
      name: 'resign',
      description: 'have all signatures of a domain made anew, also where signing was halted',
      arguments: '[name]',
      options: { all: flagOption('--all', 'of all signed domains, as after a clock was wrong') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).resign(context, given),
    }),
    command({
      name: 'ds',
      description: 'write the DS records for the parent zone; exits with 1 while they must not be set',
      arguments: '<name>',
      run: async (context, given) => (await import('./commands/dnssec.command.js')).showDs(context, given.arguments),
    }),
    command({
      name: 'export-keys',
      description: 'write the keys of a domain into files of BIND, the private parts too',
      arguments: '<name>',
      options: { directory: textOption('--directory <path>', 'where to (default: here)') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).exportKeys(context, given),
    }),
    command({
      name: 'rewrap',
      description: 'encrypt all keys with the first of key_encryption_keys',
      run: async (context) => (await import('./commands/dnssec.command.js')).rewrapKeys(context),
    }),
    command({
      name: 'check',
      description: 'verify every signature and the chain of a signed domain; exits with 1 when something is wrong',
      arguments: '[name]',
      options: { all: flagOption('--all', 'all signed domains') },
      run: async (context, given) => (await import('./commands/dnssec.command.js')).checkDnssec(context, given),
    }),
  ],
};

const POOL: Command = {
  name: 'pool',
  description: 'the name servers that zones are published on',
  commands: [
    command({
      name: 'check',
      description:
        'ask all name servers for all record sets of all domains, or of these; exits with 1 when answers differ',
      arguments: '[names...]',
      options: {
        after: textOption('--after <name>', 'continue behind this domain; domains are checked in the order of names'),
        rate: textOption('--rate <number>', 'questions to each server a second, 1 to 100 (default: 100)'),
      },
      run: async (context, given) => (await import('./commands/pool-check.command.js')).checkPool(context, given),
    }),
    command({
      name: 'sync',
      description:
        'show which zones an NSD, which has no catalog zones, must add and remove; reads the output of zonestatus from stdin',
      options: {
        pattern: requiredOption('--pattern <name>', 'the pattern in nsd.conf for its zones'),
        control: textOption('--control <command>', 'query and change it with this command instead: "nsd-control"'),
      },
      run: async (context, given) => (await import('./commands/pool-sync.command.js')).syncPool(context, given),
    }),
  ],
};

const PLUGIN: Command<ProgramContext> = {
  name: 'plugin',
  description: 'plugins of your own',
  commands: [
    command({
      name: 'new',
      description: 'create a package with a plugin that builds and passes its tests',
      arguments: '<name>',
      options: { directory: textOption('--directory <path>', 'an empty folder for it (default: the name)') },
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
  IMPORT_POWERDNS,
  DNSSEC,
  POOL,
  PLUGIN,
];
