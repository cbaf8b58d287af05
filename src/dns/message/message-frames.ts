const LENGTH_OCTETS = 2;

/** Takes messages out of a TCP stream, in which each has its length in front (RFC 1035 §4.2.2). */
export class MessageFrames {
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;

  /** Octets as they have come. They are not copied unless a message is cut in them, and must not change. */
  add(chunk: Buffer): void {
    if (this.start < this.end) return this.append(chunk);
    this.buffer = chunk;
    this.start = 0;
    this.end = chunk.length;
  }

  /** The next whole message, without its length; `null` while there is none. */
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

  /** To twice what is needed, so that a message of many chunks is copied a few times only. */
  private grow(octets: number): void {
    const kept = this.buffer.subarray(this.start, this.end);
    const larger = Buffer.allocUnsafeSlow(2 * (kept.length + octets));
    this.end = kept.copy(larger);
    this.start = 0;
    this.buffer = larger;
  }
}
