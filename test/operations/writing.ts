import { bodyOf } from '../support/answers.js';
import type { TestDomain } from '../support/domain.js';

/** A client that creates records sequentially. */
export interface Writing {
  /** Names of acknowledged records, in order. */
  readonly names: readonly string[];
  end(): Promise<void>;
}

export function startWriting(domain: TestDomain): Writing {
  const names: string[] = [];
  const end = new AbortController();
  const write = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const name = domain.at(`h${String(names.length)}`);
      await bodyOf(domain.create({ name, type: 'A', data: '192.0.2.1' }));
      names.push(name);
    }
  };
  const writing = write();
  return {
    names,
    end: async () => {
      end.abort();
      await writing;
    },
  };
}
