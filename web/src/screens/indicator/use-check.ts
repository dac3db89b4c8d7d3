import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { assay, earlyCheck } from '../../service/client.ts';
import { queryClient } from '../../service/query-client.ts';
import { rememberCheck } from '../../service/recent.ts';
import { refreshSession } from '../../service/session.ts';
import { type CheckDesk, createCheckDesk, type OpenCheck } from './check-desk.ts';
import { afterPhases, type CheckState, type CheckTarget, started } from './check-state.ts';
import { verdictView } from './verdict-view.ts';

/** How long a check stays cached: long enough to step through a bulk list and back. */
const KEPT_MS = 30 * 60_000;
const keyOf = ({ type, value }: CheckTarget) => ['check', type, value] as const;

const open: OpenCheck = (value, { signal, lastEventId }) =>
  (lastEventId === null ? earlyCheck.take(value, signal) : null) ?? {
    arrived: [],
    rest: assay.checkStream(value, { signal, lastEventId: lastEventId ?? undefined }),
  };

function createDesk(cache: QueryClient): CheckDesk {
  cache.setQueryDefaults(['check'], { staleTime: Number.POSITIVE_INFINITY, gcTime: KEPT_MS });
  return createCheckDesk({
    open,
    isAsked: ({ value }) => earlyCheck.arrived(value) !== null,
    now: () => Date.now(),
    finished: remember,
    states: {
      get: (target) => cache.getQueryData<CheckState>(keyOf(target)),
      set: (target, state) => cache.setQueryData(keyOf(target), state),
      remove: (target) => cache.removeQueries({ queryKey: keyOf(target), exact: true }),
    },
  });
}

function remember(state: CheckState): void {
  const { word, tone } = verdictView(state);
  rememberCheck({ ...state.target, word, tone, at: new Date().toISOString() });
  void refreshSession();
}

export const checkDesk = createDesk(queryClient);

/** The check of this target, sent once and cached, so that coming back costs nothing. Null sends nothing. */
export function useCheck(target: CheckTarget | null): CheckState | undefined {
  const { type, value } = target ?? NOBODY;
  // In a layout effect, so that the request leaves before the empty page is painted.
  useLayoutEffect(() => (value === '' ? undefined : checkDesk.attend({ type, value })), [type, value]);
  const { data } = useQuery<CheckState>({
    queryKey: keyOf({ type, value }),
    queryFn: skipToken,
    // If the check of `early.ts` has already answered, the first render shows the verdict.
    initialData: () => met({ type, value }),
  });
  return data;
}

function met(target: CheckTarget): CheckState | undefined {
  const arrived = earlyCheck.arrived(target.value) ?? [];
  return arrived.length === 0 ? undefined : afterPhases(started(target, Date.now()), arrived, Date.now());
}

const NOBODY: CheckTarget = { type: 'ip', value: '' };
