import type { ButtonHTMLAttributes } from 'react';
import css from './button.module.css';

type Look = 'normal' | 'primary' | 'plain';
const LOOKS: Readonly<Record<Look, string | undefined>> = {
  normal: css.button,
  primary: css.primary,
  plain: css.plain,
};

/** Drawn in ink, because colour is reserved for evidence. `keys` names the shortcut for the same action. */
export function Button({
  look = 'normal',
  keys,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look; keys?: string }) {
  return (
    <button type="button" className={LOOKS[look]} {...rest}>
      {children}
      {keys !== undefined && <kbd>{keys}</kbd>}
    </button>
  );
}
