const LENGTH_OCTETS = 2;

/** Splits a TCP stream into messages (RFC 1035 §4.2.2). */
export class MessageFrames {
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;

  /** The chunk must not change: it is copied only if it ends inside a message. */
  add(chunk: Buffer): void {
    if (this.start < this.end) return this.append(chunk);
    this.buffer = chunk;
    this.start = 0;
    this.end = chunk.length;
  }

  /** Returns a whole message without its length, or `null`. */
  next(): Buffer | null {
    if (this.end - this.start < LENGTH_OCTETS) return null;
    const from = this.start + LENGTH_OCTETS;
    const to = from + this.buffer.readUInt16BE(this.start);
    if (to > this.end) return null;
    this.start = to;
    return this.buffer.subarray(from, to);
  }

  private append(chunk: Buffer): void {
    if (this.end + chunk.length > this.buffer.length) this.grow(chunk.length);
    this.end += chunk.copy(this.buffer, this.end);
  }

  /** Doubles, so that a message of many chunks is copied only a few times. */
  private grow(octets: number): void {
    const kept = this.buffer.subarray(this.start, this.end);
    const larger = Buffer.allocUnsafeSlow(2 * (kept.length + octets));
    this.end = kept.copy(larger);
    this.start = 0;
    this.buffer = larger;
  }
}
