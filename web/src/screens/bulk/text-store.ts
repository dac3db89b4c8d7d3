import { useSyncExternalStore } from 'react';
import { HANDED_OVER, keep as keepText, readKept } from '../../service/browser-storage.ts';
import { EMPTY_PREVIEW, type Preview } from './preview.ts';
import { previewText } from './previewer.ts';

export type TextState = {
  readonly preview: Preview;
  /** True while the preview is of an older text. */
  readonly isReading: boolean;
  readonly isEmpty: boolean;
};

/** The box of the frame hands a list over by it. Nothing is lost by a sign-in or a reload. */
const KEY = HANDED_OVER.bulkText;
/** Typing goes before reading. */
const QUIET_MS = 200;

let text = '';
/** The field's own text, not copied yet: that takes longer than a key press may. */
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

/** Somebody is typing: the text is fetched when they pause. */
export function bulkTextTyped(next: () => string, isEmpty: boolean): void {
  typed = next;
  schedule(isEmpty, QUIET_MS);
}

/** What another page left here since this one last wrote. True when there was something. */
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
  // Too large to be kept over a reload, it stays as long as the page does.
  if (keepText('tab', KEY, next)) written = next;
}

const stored = (): string | null => readKept('tab', KEY);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useTextState = (): TextState => useSyncExternalStore(subscribe, () => state);
