import { useEffect, useRef, useState } from 'react';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { filterOf, type SourceFilter, searchOf } from './group-sources.ts';

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const TYPING_MS = 250;

/**
 * The filter of the page, kept in its address. A typed key filters the list at once and changes the address when typing
 * pauses. A link or the browser's history that changes the address changes the filter too.
 */
export function useSourceFilter(): readonly [SourceFilter, (filter: SourceFilter) => void] {
  const { path, search } = useShownPlace();
  const [filter, setFilter] = useState(() => filterOf(search));
  const shown = textOf(filterOf(search));
  /** Filters that this page wrote to the address. When one comes back, it must not overwrite what was typed since. */
  const written = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const at = written.current.indexOf(shown);
    written.current = written.current.slice(at + 1);
    if (at === -1) setFilter(JSON.parse(shown) as SourceFilter);
  }, [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: SourceFilter): void => {
    clearTimeout(timer.current);
    setFilter(next);
    const write = () => {
      written.current.push(textOf(next));
      go(path, { search: searchOf(next), replace: true, keepsScroll: true });
    };
    if (next.text === filter.text) write();
    else timer.current = setTimeout(write, TYPING_MS);
  };
  return [filter, change];
}

const textOf = (filter: SourceFilter): string => JSON.stringify(filter);
