import type { WebhookWithSecret } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ExactMoment } from '../parts/moment.js';
import { CopyField } from '../parts/copy-field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

interface Props {
  readonly title: string;
  readonly webhook: WebhookWithSecret;
  readonly onClose: () => void;
}

/** Shows a secret this once; it is forgotten with the dialog. */
export function SecretDialog({ title, webhook, onClose }: Props) {
  return (
    <DialogFrame title={title} onClose={onClose}>
      <p>{words.webhooks.secretHint}</p>
      <CopyField label={words.webhooks.secret} text={webhook.secret} />
      {webhook.former_secret_until !== null && (
        <p>
          {words.webhooks.formerUntil} <ExactMoment at={webhook.former_secret_until} />
        </p>
      )}
      {(webhook.warnings ?? []).map((warning, index) => (
        <p key={index} className="notice">
          <ShownText text={warning} />
        </p>
      ))}
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {words.common.done}
        </button>
      </div>
    </DialogFrame>
  );
}
