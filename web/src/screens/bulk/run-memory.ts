import { useSyncExternalStore } from 'react';
import { keep, readKept } from '../../service/browser-storage.ts';
import { LISTS_CHANNEL } from '../../service/forget-lists.ts';
import { runner, setSelected } from './bulk-run.ts';
import { createKeptRun, textMarkOf } from './kept-run.ts';
import type { RunPlan } from './run-plan.ts';
import { IDLE_RUN, isUnderWay, type RestoredRun, type Run } from './run-state.ts';
import { bulkText, setBulkText } from './text-store.ts';

const kept = createKeptRun({
  read: (key) => readKept('tab', key),
  write: (key, value) => keep('tab', key, value),
});
export const hasKeptRun = kept.hasAny;

let owner: string | null = null;
let textMark = '';
let isWhole = true;
const listeners = new Set<() => void>();
function told(isKept: boolean): void {
  if (isKept || !isWhole) return;
  isWhole = false;
  for (const listener of listeners) listener();
}
/** True while every received row is in the tab's storage and would survive a reload. */
export const useIsKept = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWhole,
  );

/** The run as last stored. Each answer is stored when it arrives, because a run may take hundreds of requests. */
let noted: Run = IDLE_RUN;
runner.subscribe(() => {
  const [before, run] = [noted, runner.run()];
  noted = run;
  if (run.entities !== before.entities || run.rows.length === before.rows.length) return;
  const batch = {
    answered: run.answered - before.answered,
    charged: run.charged - before.charged,
    rows: run.rows.slice(before.rows.length),
  };
  void kept.add(batch).then(told);
});

export function startRun(plan: RunPlan, cap: number, account: string): void {
  setSelected(new Set());
  own(plan, account, textMarkOf(bulkText()));
  runner.start(plan, cap);
}

function own({ entities, tally }: RunPlan, account: string, mark: string): void {
  owner = account;
  textMark = mark;
  isWhole = true;
  told(kept.begin({ account, entities, tally, textMark }));
}

/**
 * Restores the run that this tab stored, or else that of another tab of the same account, without a charge. True when
 * the page still holds the text of that run.
 */
export async function restoreRun(account: string, cap: number): Promise<boolean> {
  if (runner.run().phase !== 'idle') return false;
  const here = await kept.restore(account);
  const found = here ?? (await askTabs(account));
  if (found === null || runner.run().phase !== 'idle') return false;
  if (here === null) {
    own(found.run, account, found.textMark);
    void kept.add(found.run).then(told);
  }
  owner = account;
  textMark = found.textMark;
  runner.restore(found.run, cap);
  return textMark === textMarkOf(bulkText());
}

type Found = { readonly run: RestoredRun; readonly textMark: string };
type TabMessage =
  | { readonly type: 'wanted'; readonly account: string }
  | ({ readonly type: 'found'; readonly account: string } & Found)
  | { readonly type: 'forget' };

/** How long other tabs may take to send their run. Tabs in the background are slow; the page is usable meanwhile. */
const TABS_ANSWER_MS = 1_000;
let onFound: ((message: Extract<TabMessage, { type: 'found' }>) => void) | null = null;
const tabs = new BroadcastChannel(LISTS_CHANNEL);
tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if (data.type === 'wanted') answerTab(data.account);
  else if (data.type === 'found') onFound?.(data);
  else forgetRun();
});

/** Offers this tab's run to another tab, unless it is under way: two tabs that continue it would both be charged. */
function answerTab(account: string): void {
  const run = runner.run();
  if (run.phase === 'idle' || isUnderWay(run) || account !== owner) return;
  const { entities, tally, answered, rows, charged } = run;
  tabs.postMessage({
    type: 'found',
    account,
    textMark,
    run: { entities, tally, answered, rows, charged },
  } satisfies TabMessage);
}

const askTabs = (account: string): Promise<Found | null> =>
  new Promise((resolve) => {
    const end = (found: Found | null): void => {
      onFound = null;
      clearTimeout(timer);
      resolve(found);
    };
    const timer = setTimeout(() => end(null), TABS_ANSWER_MS);
    onFound = (message) => {
      if (message.account === account) end(message);
    };
    tabs.postMessage({ type: 'wanted', account } satisfies TabMessage);
  });

function forgetRun(): void {
  owner = null;
  kept.forget();
  setSelected(new Set());
  runner.forget();
  setBulkText('');
}
