import { useLayoutEffect, useSyncExternalStore } from 'react';
import { preferences } from './preferences.ts';

/**
 * Something a person can do on this page, by key or from the palette. Screens register their actions while they are
 * shown, so the palette and the shortcut sheet list only what works.
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

/** Registers actions while the component is mounted. Memoize the list: a new array registers again. */
export function useActions(actions: readonly Action[]): void {
  // In a layout effect, so that a key never runs the action of the screen shown before.
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

const SEQUENCE_MS = 1_200;

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

/** The last match wins, so that a screen's key overrides the frame's. */
const findLast = (keys: string): Action | undefined => offered.findLast((action) => action.keys === keys);

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** An open dialog or menu handles its own keys. */
const isLayerOpen = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null;
