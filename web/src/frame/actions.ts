import { useLayoutEffect, useSyncExternalStore } from 'react';
import { preferences } from './preferences.ts';

/**
 * Something a person can do here and now, by key or from the palette. Screens offer theirs while they are shown, so
 * neither the palette nor the sheet ever names what does not exist.
 */
export type Action = {
  readonly id: string;
  readonly title: string;
  readonly group: 'This page' | 'Go to' | 'View';
  /** `y`, `Y`, `?`, `g c` (one after the other), `Mod+k` (Ctrl or Cmd). */
  readonly keys?: string;
  readonly run: () => void;
};

let offered: readonly Action[] = [];
const layers = new Map<symbol, readonly Action[]>();
const listeners = new Set<() => void>();

function publish(): void {
  offered = [...layers.values()].flat();
  for (const listener of listeners) listener();
}

/** Offers these while the component is shown. Memoize the list: a new list is a new offer. */
export function useActions(actions: readonly Action[]): void {
  // With the screen, not after it: a key does what is shown, not what was shown before.
  useLayoutEffect(() => {
    const layer = Symbol('actions');
    layers.set(layer, actions);
    publish();
    return () => {
      layers.delete(layer);
      publish();
    };
  }, [actions]);
}

export const useOfferedActions = (): readonly Action[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );

/** How long a first key (`g`) waits for its second. */
const SEQUENCE_MS = 1_200;

/** Listens to the keyboard for as long as the page lives. */
export function listenForShortcuts(): () => void {
  let prefix = '';
  let prefixAtMs = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const isMod = event.ctrlKey || event.metaKey;
    if (!isMod && (isWriting(event.target) || !preferences().singleKeys || isLayerOpen())) return;
    const pressed = isMod ? `Mod+${event.key.toLowerCase()}` : event.key;
    const sequence =
      event.timeStamp - prefixAtMs < SEQUENCE_MS && prefix !== '' ? `${prefix} ${pressed}` : pressed;
    const action = findLast(sequence) ?? findLast(pressed);
    prefix = '';
    if (action !== undefined) {
      event.preventDefault();
      action.run();
      return;
    }
    if (offered.some(({ keys }) => keys?.startsWith(`${pressed} `) === true)) {
      prefix = pressed;
      prefixAtMs = event.timeStamp;
    }
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** A screen's own key goes before the frame's. */
const findLast = (keys: string): Action | undefined => offered.findLast((action) => action.keys === keys);

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys belong to the top layer; a dialog handles its own. */
const isLayerOpen = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null;
