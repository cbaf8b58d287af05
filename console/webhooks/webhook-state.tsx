import type { Webhook } from '../api/types.js';
import { words } from '../words/index.js';

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { states } = words.webhooks;
  if (webhook.enabled) return <span className="badge published">{states.enabled}</span>;
  const isGone = webhook.disabled_because !== null;
  return <span className={isGone ? 'badge failed' : 'badge pending'}>{isGone ? states.gone : states.disabled}</span>;
}
