import { describe, expect, it } from '@jest/globals';
import { BoundedCall } from './bounded-call.js';

const LONG = 60_000;

describe('a call that is bounded', () => {
  it('ends with its work, after success and failure', async () => {
    await new BoundedCall(() => Promise.resolve()).run(LONG);
    await expect(new BoundedCall(() => Promise.reject(new Error('refused'))).run(LONG)).rejects.toThrow('refused');
    const throwing = new BoundedCall(() => {
      throw new Error('at once');
    });
    await expect(throwing.run(LONG)).rejects.toThrow('at once');
  });

  it('fails at its timeout, and aborts the work', async () => {
    let signalled: AbortSignal | null = null;
    const hanging = new BoundedCall((signal) => {
      signalled = signal;
      return new Promise(() => undefined);
    });
    await expect(hanging.run(10)).rejects.toThrow('it has not ended within 0.01 s');
    expect(signalled).toMatchObject({ aborted: true });
  });

  it('may be ended before, and waits for work that ends then', async () => {
    const reason = new Error('the process stops');
    const obeying = new BoundedCall(
      (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    const done = obeying.run(LONG);
    obeying.end(reason, LONG);
    await done;
    const hanging = new BoundedCall(() => new Promise(() => undefined));
    const failed = hanging.run(LONG);
    hanging.end(reason, 1);
    await expect(failed).rejects.toThrow(reason);
  });
});
