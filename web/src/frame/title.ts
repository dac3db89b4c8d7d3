import { useEffect } from 'react';
import { visibleText } from '../ui/visible-parts.ts';

export function useTitle(...parts: readonly string[]): void {
  const title = visibleText([...parts, 'Assay'].join(' · '));
  useEffect(() => {
    document.title = title;
  }, [title]);
}
