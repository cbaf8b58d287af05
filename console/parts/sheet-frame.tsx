import './sheet.css';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { words } from '../words/index.js';
import { Icon } from './icon.js';
import { ShownText } from './shown-text.js';

interface Props {
  readonly title: string;
  /** The zone or the record, next to the title. */
  readonly subject?: string;
  /** `side`: leaves the page next to it visible. `wide`: takes most of the page. On phones both take all of it. */
  readonly kind: 'side' | 'wide';
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Escape is disabled while a plan is applied. */
  readonly mayClose?: boolean;
}

/** A dialog of full height at the end of the page. It keeps the focus and gives it back; Escape closes it. */
export function SheetFrame({ title, subject, kind, onClose, children, mayClose = true }: Props) {
  return (
    <ModalOverlay
      isOpen
      className={`overlay sheet-overlay of-${kind}`}
      isKeyboardDismissDisabled={!mayClose}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={`sheet of-${kind}`}>
        <Dialog className="dialog sheet-dialog">
          <header className="sheet-head">
            <Heading slot="title" className="dialog-title">
              {title}
            </Heading>
            {subject !== undefined && (
              <span className="sheet-subject">
                <ShownText text={subject} longest={300} />
              </span>
            )}
            <button
              type="button"
              className="quiet"
              aria-label={words.common.close}
              title={words.common.close}
              disabled={!mayClose}
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
