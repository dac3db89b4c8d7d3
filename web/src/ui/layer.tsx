import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import css from './layer.module.css';

/** What lies over the page: focus is inside, Esc closes it, focus goes back to where it was. */
export function Layer({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: React.ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && close()}
      className={css.overlay ?? ''}
    >
      <Modal className={css.modal ?? ''}>
        <Dialog className={css.dialog ?? ''}>
          <Heading slot="title" className={css.title ?? ''}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
