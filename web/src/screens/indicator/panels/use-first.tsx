import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';

const SHOWN = 5;

/** The first items and a button for the rest, so that a panel keeps its height. */
export function useFirst<T>(
  items: readonly T[],
  shown = SHOWN,
): { readonly first: readonly T[]; readonly more: React.ReactNode } {
  const [showsAll, setShowsAll] = useState(false);
  if (showsAll || items.length <= shown) return { first: items, more: null };
  return {
    first: items.slice(0, shown),
    more: (
      <Button look="plain" onClick={() => setShowsAll(true)}>
        Show all {items.length}
      </Button>
    ),
  };
}
