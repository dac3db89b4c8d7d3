import type { AnchorHTMLAttributes } from 'react';
import { hrefOf } from './address.ts';
import { go, preload, usePlace } from './place.ts';

type LinkProps = {
  /** A path below the dashboard's base: `/bulk`, `/family/remcos`. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string | undefined>>;
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'>;

/**
 * A real link to a page of the dashboard. A plain click opens it in place; the middle button and modifier keys keep the
 * browser's behaviour. Its screen is loaded when the pointer or the focus comes near.
 */
export function Link({ to, search, ...rest }: LinkProps) {
  const { path } = usePlace();
  const isHere = path === to || (to !== '/' && path.startsWith(`${to}/`));
  return (
    <a
      {...rest}
      href={hrefOf(to, search)}
      aria-current={isHere ? 'page' : undefined}
      onPointerEnter={() => preload(to)}
      onFocus={() => preload(to)}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to, { search });
      }}
    />
  );
}
