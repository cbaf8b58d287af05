import { Field } from '../parts/field.js';
import { moveIn } from '../words/move-in.js';
import type { TransferKey } from './move-api.js';

const ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export const NO_KEY: TransferKey = { name: '', algorithm: ALGORITHMS[0], secret: '' };

interface Props {
  readonly value: TransferKey;
  readonly error: string | undefined;
  readonly onChange: (key: TransferKey) => void;
}

/** The TSIG key of a transfer. Only the form holds its secret. */
export function KeyFields({ value, error, onChange }: Props) {
  const { key, secretHint } = moveIn.source;
  return (
    <div className="columns">
      <Field label={key.name} error={error}>
        {(control) => (
          <input
            {...control}
            value={value.name}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ ...value, name: target.value })}
          />
        )}
      </Field>
      <Field label={key.algorithm}>
        {(control) => (
          <select
            {...control}
            value={value.algorithm}
            onChange={({ target }) => onChange({ ...value, algorithm: target.value })}
          >
            {ALGORITHMS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={key.secret} hint={secretHint}>
        {(control) => (
          <input
            {...control}
            type="password"
            value={value.secret}
            maxLength={255}
            autoComplete="off"
            onChange={({ target }) => onChange({ ...value, secret: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
