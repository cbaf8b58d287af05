import { ServerClient, type ServerClientOptions } from './server-client.js';

/** One that sends statements before it has the answers to earlier ones, for `Pipeline`. */
export class PipelinedClient extends ServerClient {
  constructor(options: ServerClientOptions) {
    super({ ...options, pipeline: true });
  }

  /** What is sent until the end of this turn of the event loop goes out in one piece, which wakes the server once. */
  holdForTurn(): void {
    const { stream } = this.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // With pipelining pg waits for all answers, which the other side may never give; without, it cuts the connection.
    Object.assign(this, { pipeline: false });
    return callback === undefined ? super.end() : super.end(callback);
  }
}
