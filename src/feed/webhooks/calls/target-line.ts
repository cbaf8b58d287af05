import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';

/** One connection at a time, kept for the next call. */
const KEPT = { keepAlive: true, maxSockets: 1 };

/**
 * The connection of calls that follow each other at once: to make one by HTTPS is most of what a call costs. It leads to an
 * address that was judged as it was made, and lasts no longer than they do.
 */
export class TargetLine {
  private readonly agents = new Map<string, HttpAgent>();

  agentFor({ protocol }: URL): HttpAgent {
    const agent = this.agents.get(protocol) ?? agentOf(protocol);
    this.agents.set(protocol, agent);
    return agent;
  }

  end(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }
}

function agentOf(protocol: string): HttpAgent {
  if (protocol !== 'https:') return new HttpAgent(KEPT);
  return new HttpsAgent({ ...KEPT, secureContext: (trusted ??= createSecureContext()) });
}

/** The authorities that Node trusts, the same for all connections: each would read them all anew. */
let trusted: SecureContext | undefined;
