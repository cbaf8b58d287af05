import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger as Pino } from 'pino';
import { withoutSecrets } from './secrets.js';

/** What is written: everything of this level and of those before it. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  /** `auto`: for people on a terminal, otherwise JSON. */
  readonly format: 'auto' | 'json' | 'pretty';
  /** Texts that are never written, wherever they occur. */
  readonly secrets: readonly string[];
}

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];
const STDOUT = 1;

/** What Nest says while it puts the service together: hundreds of lines that are of no use to an operator. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/**
 * The log of a program that serves: one line of JSON for each event on standard output. What is said through Nest's
 * `Logger` comes here.
 */
export class ProgramLog implements LoggerService {
  private pino: Pino | null = null;

  /** @param stream takes the lines in place of standard output */
  constructor(
    private readonly options: LogOptions,
    private readonly stream: DestinationStream | null = null,
  ) {}

  /** Whether its lines are for programs. */
  get isJson(): boolean {
    return !this.isForPeople();
  }

  /** Writes a line whatever the level is: where the service is, and that it stops. */
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

  /** @param more as Nest gives it: whatever else was said, such as a stack, and the context last */
  private write(level: LogLevel, message: unknown, more: readonly unknown[]): void {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(this.options.level)) return;
    const context = more.at(-1);
    const details = more.slice(0, -1).filter((detail) => typeof detail === 'string');
    const fields = isFields(message) ? message : { msg: [textOf(message), ...details].join('\n') };
    (this.pino ??= this.open())[level]({ context, ...fields });
  }

  /** Only for the first line: most programs that start write none, and Pino takes a twentieth of a second to load. */
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

  /** Written at once, so that nothing is lost when the process ends, and lines of several processes are not mixed. */
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

/** Whether what is said consists of fields instead of words. */
function isFields(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null && !(message instanceof Error);
}

function textOf(message: unknown): string {
  return message instanceof Error ? (message.stack ?? message.message) : String(message);
}
