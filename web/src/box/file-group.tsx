import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import css from './box-note.module.css';
import type { Box } from './use-box.ts';

export function FileGroup({ label, box, children }: { label: string; box: Box; children: React.ReactNode }) {
  const group = useRef<HTMLFieldSetElement>(null);
  // Move the focus here however the files were chosen, so that Tab continues inside the group.
  useEffect(() => group.current?.focus({ preventScroll: true }), []);
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-label={label}
      className={css.file}
      onKeyDown={(event) => {
        if (event.key === 'Escape') box.clear();
      }}
    >
      {children}
    </fieldset>
  );
}

export const HashProgress = ({ of, share, box }: { of: string; share: number; box: Box }) => (
  <div className={css.progress}>
    <progress value={share} max={1} aria-label={`Hashing ${of}`} />
    <span className="note">{Math.floor(share * 100)} %</span>
    <Button look="plain" onClick={box.clear}>
      Cancel
    </Button>
  </div>
);
