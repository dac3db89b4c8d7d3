import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Layer } from '../ui/layer.tsx';
import css from './reveal-layer.module.css';
import { useLeaveGuard } from './use-leave-guard.ts';

/** A dialog with something that cannot be shown again: every way out of it asks first. */
export function ShownOnceLayer({
  title,
  lead,
  lost,
  back,
  close,
  children,
}: {
  title: string;
  lead: ReactNode;
  /** Says what closing the dialog would lose, and what to do then. */
  lost: ReactNode;
  /** The words on the button that leads back from that question to the content. */
  back: string;
  close: () => void;
  children: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  const ask = useCallback(() => setAsking(true), []);
  useLeaveGuard(true, ask);
  return (
    <Layer title={title} close={ask}>
      <div className={css.body}>
        {isAsking ? (
          <>
            <Lead>{lost}</Lead>
            <p className={css.buttons}>
              <Button look="primary" onClick={() => setAsking(false)}>
                {back}
              </Button>
              <Button onClick={close}>I have stored it, close</Button>
            </p>
          </>
        ) : (
          <>
            <Lead>{lead}</Lead>
            {children}
            <p className={css.buttons}>
              <Button onClick={ask}>Done</Button>
            </p>
          </>
        )}
      </div>
    </Layer>
  );
}

/** The first sentence. It takes the focus, because the control that had it is gone when the content changes. */
function Lead({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <p ref={ref} tabIndex={-1} className={css.sentence}>
      {children}
    </p>
  );
}
