import { useSyncExternalStore } from 'react';
import { type Address, hrefOf, readAddress } from './address.ts';

/** Where the reader is. Each navigation has a new key, also one to the same address. */
export type Place = Address & {
  readonly key: string;
  /** How far down this place was scrolled when it was left; null leaves the window as it is. */
  readonly scrollTo: number | null;
};

type Way = {
  readonly search?: Readonly<Record<string, string | undefined>> | undefined;
  /** Replaces the current entry of the browser's history instead of adding one. */
  readonly replace?: boolean;
  readonly keepsScroll?: boolean;
};

/** What the browser keeps with each entry of its history, also over a reload. */
type Entry = { readonly key: string; readonly scrolled: number };

const listeners = new Set<() => void>();
let place: Place = placeNow();

function placeNow(): Place {
  const { key, scrolled } = entryNow();
  const address = readAddress(location.href);
  const href = hrefOf(address.path, address.search);
  // A raw URL after `/url/` in the address bar is rewritten to the encoded form that links use.
  if (address.path.startsWith('/url/') && href !== location.pathname + location.search)
    history.replaceState(history.state, '', href);
  return { ...address, key, scrollTo: scrolled };
}

function entryNow(): Entry {
  const kept = history.state as Partial<Entry> | null;
  return { key: kept?.key ?? '', scrolled: kept?.scrolled ?? 0 };
}

const newKey = (): string => crypto.getRandomValues(new Uint32Array(1)).join();

function publish(next: Place): void {
  place = next;
  for (const listener of listeners) listener();
}

function noteScroll(): void {
  history.replaceState({ ...entryNow(), scrolled: scrollY } satisfies Entry, '');
}

let askToLeave: (() => void) | null = null;

/**
 * Keeps the reader on this page, such as one that shows a new secret, until the returned function is called: navigation
 * within the dashboard calls `ask` instead.
 */
export function guardPlace(ask: () => void): () => void {
  askToLeave = ask;
  return () => {
    askToLeave = null;
  };
}

/** Opens a page of the dashboard; `to` is a path below the base. */
export function go(to: string, { search = {}, replace = false, keepsScroll = false }: Way = {}): void {
  if (askToLeave !== null) {
    askToLeave();
    return;
  }
  const entry: Entry = { key: newKey(), scrolled: keepsScroll ? scrollY : 0 };
  noteScroll();
  history[replace ? 'replaceState' : 'pushState'](entry, '', hrefOf(to, search));
  publish({ ...readAddress(location.href), key: entry.key, scrollTo: keepsScroll ? null : 0 });
}

/** Called once, when the page starts. */
export function listenToHistory(): void {
  // The browser would restore the position before the screen of that place is drawn.
  history.scrollRestoration = 'manual';
  addEventListener('scrollend', noteScroll);
  addEventListener('popstate', () => {
    if (askToLeave === null) {
      publish(placeNow());
      return;
    }
    // The browser has already gone back or forward, so the guarded place is pushed as a new history entry.
    const entry: Entry = { key: place.key, scrolled: scrollY };
    history.pushState(entry, '', hrefOf(place.path, place.search));
    askToLeave();
  });
}

let loadScreen: (path: string) => void = () => undefined;

/** Registers how the screen of a path is loaded: links call it through `preload` but do not know the screens. */
export function preloadBy(load: (path: string) => void): void {
  loadScreen = load;
}
export const preload = (path: string): void => loadScreen(path);

export const currentPlace = (): Place => place;

/** The place of the newest navigation. It changes at once, while the screen of that place may still be loading. */
export const usePlace = (): Place => useSyncExternalStore(listen, currentPlace);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
