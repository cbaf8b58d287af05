import { words } from '../words/index.js';

interface Props {
  /** How often something was copied here. */
  readonly times: number;
  readonly text?: string;
  readonly isHidden?: boolean;
}

/** Says that something was copied, each time anew. Screen readers need the element before its first text. */
export const Copied = ({ times, text = words.common.copied, isHidden = false }: Props) => (
  <span role="status" className={isHidden ? 'visually-hidden' : undefined}>
    {times > 0 && <span key={times}>{text}</span>}
  </span>
);
