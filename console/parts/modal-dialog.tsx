import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
  /** Escape is disabled during a request that decides what is stored. */
  readonly mayClose?: boolean;
}

/** The frame of a dialog by React Aria, which is loaded with the first one. */
export function ModalDialog({ title, onClose, children, isWide = false, mayClose = true }: Props) {
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
