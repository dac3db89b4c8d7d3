import { useSyncExternalStore } from 'react';
import { assay } from '../../service/client.ts';
import { queryClient } from '../../service/query-client.ts';
import { SESSION_KEY } from '../../service/session.ts';
import type { Run } from './run-state.ts';
import { createRunner } from './runner.ts';

/** The only run. It continues while other pages are shown. */
export const runner = createRunner({
  // `standard` includes the evidence, so that a row gets the same verdict word as the indicator's page.
  send: (entities) => assay.call('postBulkCheck', { body: { entities, enrichment: 'standard' } }),
  nowMs: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
});

export const useRun = (): Run => useSyncExternalStore(runner.subscribe, runner.run);

/** A reload or a closed tab would end the run; navigating inside the dashboard does not. */
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
let wasUnderWay = false;
runner.subscribe(() => {
  const { phase } = runner.run();
  const isNow = phase === 'running' || phase === 'waiting';
  if (isNow === wasUnderWay) return;
  wasUnderWay = isNow;
  if (isNow) window.addEventListener('beforeunload', warn);
  else {
    window.removeEventListener('beforeunload', warn);
    void queryClient.invalidateQueries({ queryKey: SESSION_KEY, exact: true });
  }
});

/** By entity, because sorting moves rows. A new run starts with no selection. */
let selected: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
export function setSelected(next: ReadonlySet<string>): void {
  selected = next;
  for (const listener of listeners) listener();
}
export const useSelected = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => selected,
  );
