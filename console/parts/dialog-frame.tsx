import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
  /** Escape does nothing while an answer is awaited that decides what was stored. */
  readonly mayClose?: boolean;
}

/** A dialog over the page. It keeps the focus and gives it back; Escape closes it. */
export function DialogFrame({ title, onClose, children, isWide = false, mayClose = true }: Props) {
  return (
    <ModalOverlay
      isOpen
      className="overlay"
      isKeyboardDismissDisabled={!mayClose}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={isWide ? 'modal wide' : 'modal'}>
        <Dialog className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
