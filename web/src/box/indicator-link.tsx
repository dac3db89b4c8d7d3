import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { permalinkOf, type Target } from './permalink.ts';

/**
 * A real link to the dashboard's page of an indicator, never to the indicator itself. A plain click navigates in place;
 * the middle button and modifier keys keep the browser's behaviour.
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
