import { DialogFrame } from '../parts/dialog-frame.js';
import { CopyField } from '../parts/copy-field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

interface Props {
  readonly token: string;
  /** The first host of a token for certificates. */
  readonly host: string | null;
  readonly onClose: () => void;
}

/** Shows a token this once; it is forgotten with the dialog. */
export function TokenCreatedDialog({ token, host, onClose }: Props) {
  const { origin } = window.location;
  const lines =
    host === null
      ? [words.tokens.curl(origin)]
      : [words.tokens.lego(origin, host), words.tokens.acmeSh(origin, host), words.tokens.curl(origin)];
  return (
    <DialogFrame title={words.tokens.createdTitle} onClose={onClose}>
      <p>{words.tokens.createdHint}</p>
      <CopyField label={words.tokens.token} text={token} />
      <h3>{words.tokens.use}</h3>
      {lines.map((line) => (
        <pre key={line} className="line">
          <ShownText text={line} />
        </pre>
      ))}
      {host !== null && <p className="hint">{words.tokens.acmeHint}</p>}
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {words.common.done}
        </button>
      </div>
    </DialogFrame>
  );
}
