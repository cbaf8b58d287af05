import { words } from '../words/index.js';

/** The event types of a webhook, as the API names them. */
const ACTIONS = [
  'record.create',
  'record.update',
  'record.delete',
  'domain.create',
  'domain.update',
  'domain.delete',
  'domain.serial',
  'domain.transfer',
  'domain.regenerate',
] as const;

interface Props {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The event types that a webhook receives. */
export function WebhookEvents({ chosen, onChange }: Props) {
  return (
    <fieldset>
      <legend>{words.webhooks.events}</legend>
      <p className="hint">{words.webhooks.eventsHint}</p>
      <div className="checks">
        {ACTIONS.map((action) => (
          <label key={action} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(action)}
              onChange={({ target }) => {
                const others = chosen.filter((one) => one !== action);
                onChange(target.checked ? [...others, action] : others);
              }}
            />
            {words.webhooks.actions[action]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The names of actions in words; one that is not known stays as the API names it. */
export const eventsInWords = (actions: readonly string[]): string =>
  actions.map((action) => (words.webhooks.actions as Readonly<Record<string, string>>)[action] ?? action).join(', ');
