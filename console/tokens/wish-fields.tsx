import { Field } from '../parts/field.js';
import { words } from '../words/index.js';
import type { Wish } from './limits.js';

interface Props {
  readonly wish: Wish;
  readonly fault: string | undefined;
  readonly onChange: (wish: Wish) => void;
}

/** The inputs for a token of this kind. */
export function WishFields({ wish, fault, onChange }: Props) {
  switch (wish.preset) {
    case 'zone':
      return (
        <Field label={words.tokens.zone} hint={words.tokens.zoneHint} error={fault}>
          {(control) => (
            <input
              {...control}
              value={wish.zone}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ ...wish, zone: target.value })}
            />
          )}
        </Field>
      );
    case 'read':
      return null;
    case 'custom':
      return <CustomFields wish={wish} fault={fault} onChange={onChange} />;
  }
}

type Custom = Wish & { readonly preset: 'custom' };

function CustomFields({ wish, fault, onChange }: Props & { readonly wish: Custom }) {
  const { custom } = words.tokens;
  const hints = {
    domains: custom.domainsHint,
    names: custom.namesHint,
    types: custom.typesHint,
    networks: custom.networksHint,
  };
  return (
    <>
      {(['domains', 'names', 'types', 'networks'] as const).map((name) => (
        <Lines
          key={name}
          label={custom[name]}
          hint={hints[name]}
          value={wish[name]}
          onChange={(value) => onChange({ ...wish, [name]: value })}
        />
      ))}
      <fieldset>
        <legend>{custom.actions}</legend>
        {(['create', 'update', 'delete'] as const).map((action) => (
          <label key={action} className="check">
            <input
              type="checkbox"
              checked={wish.actions.includes(action)}
              onChange={({ target }) => {
                const others = wish.actions.filter((one) => one !== action);
                onChange({ ...wish, actions: target.checked ? [...others, action] : others });
              }}
            />
            {custom.action[action]}
          </label>
        ))}
        {fault !== undefined && (
          <p role="alert" className="error">
            {fault}
          </p>
        )}
      </fieldset>
    </>
  );
}

export interface LinesProps {
  readonly label: string;
  readonly hint: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A list of entries, one per line. */
export function Lines({ label, hint, error, value, onChange }: LinesProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
