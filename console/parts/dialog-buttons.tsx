import { words } from '../words/index.js';

interface DialogButtonsProps {
  /** Text of the button that submits the form. */
  readonly submit: string;
  readonly onClose: () => void;
}

/** The buttons of a form in a dialog. */
export function DialogButtons({ submit, onClose }: DialogButtonsProps) {
  return (
    <div className="buttons">
      <button type="button" onClick={onClose}>
        {words.common.cancel}
      </button>
      <button type="submit" className="primary">
        {submit}
      </button>
    </div>
  );
}
