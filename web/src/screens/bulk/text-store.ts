import { useSyncExternalStore } from 'react';
import { HANDED_OVER, keep as keepText, readKept } from '../../service/browser-storage.ts';
import { EMPTY_PREVIEW, type Preview } from './preview.ts';
import { previewText } from './previewer.ts';

export type TextState = {
  readonly preview: Preview;
  readonly isReading: boolean;
  readonly isEmpty: boolean;
};

/** In the tab's storage: the box hands lists over through it, and the text survives a sign-in or a reload. */
const KEY = HANDED_OVER.bulkText;
/** The text is parsed when typing has paused for this long. */
const QUIET_MS = 200;

let text = '';
/** Returns the field's text when it is needed, because copying a large text on every key press would delay typing. */
let typed: (() => string) | null = null;
let written: string | null = null;
let version = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let state: TextState = { preview: EMPTY_PREVIEW, isReading: false, isEmpty: true };
const listeners = new Set<() => void>();

export function bulkText(): string {
  if (typed !== null) text = typed();
  typed = null;
  return text;
}

export function bulkTextTyped(next: () => string, isEmpty: boolean): void {
  typed = next;
  schedule(isEmpty, QUIET_MS);
}

/** Takes a text that another page stored since this one last wrote. True when there was one. */
export function takeHandedText(): boolean {
  const handed = stored();
  if (handed === null || handed === written) return false;
  written = handed;
  setBulkText(handed);
  return true;
}

export function setBulkText(next: string): void {
  typed = null;
  text = next;
  schedule(next === '', 0);
}

function schedule(isEmpty: boolean, quietMs: number): void {
  version += 1;
  const mine = version;
  if (state.isReading === isEmpty || state.isEmpty !== isEmpty)
    publish({ ...state, isReading: !isEmpty, isEmpty });
  clearTimeout(timer);
  timer = setTimeout(() => void read(mine), quietMs);
}

async function read(mine: number): Promise<void> {
  const whole = bulkText();
  keep(whole);
  const preview = whole === '' ? EMPTY_PREVIEW : await previewText(whole, () => mine === version);
  if (preview !== null && mine === version) publish({ preview, isReading: false, isEmpty: whole === '' });
}

function publish(next: TextState): void {
  state = next;
  for (const listener of listeners) listener();
}

function keep(next: string): void {
  // A text too large for storage lasts until the page closes.
  if (keepText('tab', KEY, next === '' ? null : next)) written = next;
}

const stored = (): string | null => readKept('tab', KEY);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useTextState = (): TextState => useSyncExternalStore(subscribe, () => state);
