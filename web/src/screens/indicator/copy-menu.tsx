import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import css from './copy-actions.module.css';
import { COPY_FORMS, type CopyForm } from './copy-list.ts';

export function CopyMenu({
  trigger,
  close,
  pick,
}: {
  trigger: React.RefObject<HTMLButtonElement | null>;
  close: () => void;
  pick: (form: CopyForm) => void;
}) {
  return (
    <Popover
      aria-label="Copy as"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      placement="bottom start"
      className={css.popover ?? ''}
    >
      <Menu
        aria-label="Copy as"
        autoFocus="first"
        className={css.menu ?? ''}
        onClose={close}
        onAction={(key) => {
          const picked = COPY_FORMS.find(({ form }) => form === key);
          if (picked !== undefined) pick(picked.form);
        }}
      >
        {COPY_FORMS.map(({ form, title, keys }) => (
          <MenuItem key={form} id={form} textValue={title} className={css.item ?? ''}>
            <span>{title}</span>
            {keys !== null && <kbd>{keys}</kbd>}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
