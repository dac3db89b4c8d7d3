import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { permalinkOf, type Target } from './permalink.ts';

/**
 * A real link to the page of an indicator here, never to the indicator itself. Opens in place; the middle button and
 * Ctrl open it elsewhere, as anywhere.
 */
export function IndicatorLink({
  target,
  ...rest
}: { target: Target } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'>) {
  const router = useRouter();
  const href = router.basepath + permalinkOf(target);
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.history.push(href);
      }}
    />
  );
}
