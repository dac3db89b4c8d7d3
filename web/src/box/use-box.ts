import { useCallback, useMemo, useRef, useState } from 'react';
import { announce } from '../frame/announce.tsx';
import { go } from '../navigation/place.ts';
import { leaveForBulk } from './bulk-text.ts';
import { openIndicator } from './open-indicator.ts';
import { openLead } from './open-lead.ts';
import { loadReader, useReader } from './reader.ts';
import type { Reading } from './reading.ts';

const NOT_LOADED =
  'The part of this page that reads input did not load. Check the connection and press Enter again; if that does not help, reload the page.';
const NOT_KEPT = 'This text is too long to hand over. Open Bulk triage and drop it there as a file.';

type BoxState = {
  readonly text: string;
  /** The chosen way to read the text, as an index into the `ways` of its reading; 0 is the default. */
  readonly way: number;
  /** Set by Enter or a paste: from then on an unreadable text is reported. */
  readonly isSettled: boolean;
  readonly isWaiting: boolean;
  readonly problem: string | null;
  readonly files: readonly File[];
};
const EMPTY: BoxState = {
  text: '',
  way: 0,
  isSettled: false,
  isWaiting: false,
  problem: null,
  files: [],
};

export type Settle = { readonly history: 'push' | 'replace'; readonly opensBulk: boolean };

export type Box = BoxState & {
  readonly reading: Reading | null;
  readonly type: (text: string) => void;
  readonly chooseWay: (way: number) => void;
  readonly takeFiles: (files: Iterable<File>) => void;
  /** Resolves to true when the box navigated to another page. */
  readonly settle: (text: string, way: number, how: Settle) => Promise<boolean>;
  readonly openBulk: (text: string) => boolean;
  readonly clear: () => void;
};

export function useBox(isWanted: boolean): Box {
  const [state, setState] = useState(EMPTY);
  const reader = useReader(isWanted || state.text !== '');
  const reading = useMemo(() => reader?.(state.text) ?? null, [reader, state.text]);
  const turn = useRef(0);

  const change = useCallback((next: Partial<BoxState>) => {
    turn.current += 1;
    setState({ ...EMPTY, ...next });
  }, []);

  const openBulk = useCallback(
    (text: string): boolean => {
      if (!leaveForBulk(text)) {
        setState((now) => ({ ...now, isWaiting: false, problem: NOT_KEPT }));
        announce(NOT_KEPT);
        return false;
      }
      change({});
      go('/bulk');
      return true;
    },
    [change],
  );

  const settle = useCallback(
    async (text: string, way: number, how: Settle): Promise<boolean> => {
      change({ text, way, isSettled: true, isWaiting: true });
      const mine = turn.current;
      const read = await loadReader().catch(() => null);
      // The text changed while the parser loaded, so this result is stale.
      if (mine !== turn.current) return false;
      setState((now) => ({ ...now, isWaiting: false, problem: read === null ? NOT_LOADED : null }));
      const reached = read?.(text) ?? null;
      if (reached?.kind === 'list' && how.opensBulk) return openBulk(text);
      const answer = reached?.kind === 'one' ? (reached.ways[way] ?? reached.ways[0]).answer : null;
      if (answer?.kind === 'page') {
        change({});
        openIndicator(answer.target, how.history);
        return true;
      }
      if (answer?.kind === 'words' && answer.lead !== undefined) {
        change({});
        openLead(answer.lead, how.history);
        return true;
      }
      announce(reached === null ? NOT_LOADED : spoken(reached, way));
      return false;
    },
    [change, openBulk],
  );

  return {
    ...state,
    reading,
    type: useCallback((text: string) => change({ text }), [change]),
    chooseWay: useCallback((way: number) => setState((now) => ({ ...now, way })), []),
    takeFiles: useCallback((files: Iterable<File>) => change({ files: [...files] }), [change]),
    settle,
    openBulk,
    clear: useCallback(() => change({}), [change]),
  };
}

function spoken(reading: Reading, way: number): string {
  if (reading.kind === 'list') return `${reading.count} indicators. Press Enter to check them in bulk.`;
  if (reading.kind === 'unreadable') return reading.sentence;
  if (reading.kind === 'nothing') return '';
  const { answer } = reading.ways[way] ?? reading.ways[0];
  return answer.kind === 'words' ? answer.sentence : '';
}
