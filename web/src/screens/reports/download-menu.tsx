import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { ENTITY_FORMATS, type EntityFormat } from './download.ts';
import css from './reports.module.css';

export function DownloadMenu({
  trigger,
  close,
  pick,
}: {
  trigger: React.RefObject<HTMLButtonElement | null>;
  close: () => void;
  pick: (format: EntityFormat) => void;
}) {
  return (
    <Popover
      aria-label="Download as"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      placement="bottom end"
      className={css.popover ?? ''}
    >
      <Menu
        aria-label="Download as"
        autoFocus="first"
        className={css.menu ?? ''}
        onClose={close}
        onAction={(key) => {
          const picked = ENTITY_FORMATS.find(({ format }) => format === key);
          if (picked !== undefined) pick(picked.format);
        }}
      >
        {ENTITY_FORMATS.map(({ format, title }) => (
          <MenuItem key={format} id={format} textValue={title} className={css.item ?? ''}>
            {title}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
