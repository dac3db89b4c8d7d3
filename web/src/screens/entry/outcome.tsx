import { type ReactNode, useEffect, useRef } from 'react';
import css from './entry.module.css';

/** Takes the place of a form. The field that had the focus is gone with it, so the focus comes here and it is read out. */
export function Outcome({ state, children }: { state: 'done' | 'ended'; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} tabIndex={-1} className={css.outcome} data-state={state}>
      {children}
    </div>
  );
}

/** Shown for a link that was already used, has expired or lacks its token. */
export const LinkEnded = ({ children }: { children: ReactNode }) => (
  <Outcome state="ended">
    <p>
      <b>This link does not work any more.</b> It was used, has expired or is not whole. Each link works once.
    </p>
    <p>{children}</p>
  </Outcome>
);
