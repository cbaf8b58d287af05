import { useState } from 'react';
import { DialogFrame } from '../parts/dialog-frame.js';
import { words } from '../words/index.js';
import { areShortcutsOn, switchShortcuts } from './shortcuts.js';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <DialogFrame title={words.shortcuts.title} onClose={onClose}>
      <dl className="keys">
        {Object.entries(words.shortcuts.keys).map(([key, says]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            switchShortcuts(target.checked);
            setOn(target.checked);
          }}
        />
        {words.shortcuts.on}
      </label>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.common.close}
        </button>
      </div>
    </DialogFrame>
  );
}
