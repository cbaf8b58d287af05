import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger as Pino } from 'pino';

/** Minimum severity, most severe first. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  /** `auto`: for people on a terminal, otherwise JSON. */
  readonly format: 'auto' | 'json' | 'pretty';
  /** Redacted in all lines. */
  readonly secrets: readonly string[];
}

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];
const STDOUT = 1;

/** Nest logs hundreds of lines at start, without use for an operator. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** Writes one line of JSON for each event to standard output. Nest's `Logger` writes here. */
export class ProgramLog implements LoggerService {
  private pino: Pino | null = null;

  /** @param stream replaces standard output */
  constructor(
    private readonly options: LogOptions,
    private readonly stream: DestinationStream | null = null,
  ) {}

  get isJson(): boolean {
    return !this.isForPeople();
  }

  /** Ignores the level: start and stop are always logged. */
  announce(fields: Readonly<Record<string, string>>): void {
    const log = (this.pino ??= this.open());
    const { level } = log;
    log.level = 'info';
    log.info({ context: 'Zonewright', ...fields });
    log.level = level;
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  log(message: unknown, ...more: unknown[]): void {
    this.write(FRAMEWORK.has(String(more.at(-1))) ? 'debug' : 'info', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  /** @param more arguments of Nest: details such as a stack, then the context */
  private write(level: LogLevel, message: unknown, more: readonly unknown[]): void {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(this.options.level)) return;
    const context = more.at(-1);
    const details = more.slice(0, -1).filter((detail) => typeof detail === 'string');
    const fields = isFields(message) ? message : { msg: [textOf(message), ...details].join('\n') };
    (this.pino ??= this.open())[level]({ context, ...fields });
  }

  /** Lazy: most programs that start write no line, and loading Pino takes 50 ms. */
  private open(): Pino {
    const load = createRequire(import.meta.url);
    const { pino } = load('pino') as typeof import('pino');
    const { level, secrets } = this.options;
    const clean = withoutSecrets(secrets);
    return pino(
      {
        level,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        hooks: { streamWrite: clean },
      },
      this.stream ?? this.standardOutput(load, pino),
    );
  }

  /** Synchronous, so that lines are not lost at the end or mixed with lines of other processes. */
  private standardOutput(load: NodeJS.Require, pino: typeof import('pino').pino): DestinationStream {
    if (!this.isForPeople()) return pino.destination({ dest: STDOUT, sync: true });
    const pretty = load('pino-pretty') as typeof import('pino-pretty');
    return pretty({
      destination: STDOUT,
      sync: true,
      singleLine: true,
      ignore: 'pid',
      translateTime: 'SYS:HH:MM:ss.l',
    });
  }

  private isForPeople(): boolean {
    const { format } = this.options;
    return format === 'pretty' || (format === 'auto' && isatty(STDOUT));
  }
}

function isFields(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null && !(message instanceof Error);
}

function textOf(message: unknown): string {
  return message instanceof Error ? (message.stack ?? message.message) : String(message);
}

/** A token of the service: `zw_` and 256 bits in base64url. */
const TOKEN = String.raw`zw_[\w-]{43}`;
/** A JWT: parts in base64url, of which the first is a JSON object. The bound keeps the search linear. */
const JWT = String.raw`eyJ[\w-]{5,1000}\.[\w-]+\.[\w-]*`;
/** Signing secret of a webhook: `whsec_` and base64. */
const WEBHOOK_SECRET = String.raw`whsec_[\w+/=-]{24,200}`;
const INSTEAD = '[secret]';
/** Characters; shorter secrets would match parts of words. */
const SHORTEST = 6;

/** Redacts secrets, verbatim or encoded as JSON or a URL, such as in database driver messages. */
function withoutSecrets(secrets: readonly string[]): (line: string) => string {
  const texts = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellingsOf);
  // Longest first: a secret may contain another one.
  const sorted = [...new Set(texts)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp([TOKEN, JWT, WEBHOOK_SECRET, ...sorted.map(escaped)].join('|'), 'g');
  return (line) => line.replace(pattern, INSTEAD);
}

/** Log lines are JSON, so JSON of another program is encoded twice. */
function spellingsOf(secret: string): string[] {
  return [secret, quoted(secret), quoted(quoted(secret)), encodeURIComponent(secret)];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
