import type { ComponentType } from 'react';
import { matchPath, type Params } from '../navigation/address.ts';
import { SCREENS, type Screen } from '../screens.ts';
import { persistently } from '../service/persistently.ts';

export type Found = { readonly screen: Screen; readonly params: Params };

export function screenOf(path: string): Found | null {
  for (const screen of SCREENS) {
    const params = matchPath(screen.path, path);
    if (params !== null) return { screen, params };
  }
  return null;
}

/** React's `use` returns the value of a promise at once when its `status` is `fulfilled`. */
type Loaded = Promise<ComponentType> & { status?: 'fulfilled'; value?: ComponentType };
const loaded = new Map<Screen['load'], Loaded>();

/** The component of a screen, loaded once. A failed load of its script is retried until it succeeds. */
export function pageOf({ load }: Screen): Promise<ComponentType> {
  const known = loaded.get(load);
  if (known !== undefined) return known;
  const page: Loaded = persistently(load).then((module) => module.default);
  void page.then((value) => Object.assign(page, { status: 'fulfilled', value }));
  loaded.set(load, page);
  return page;
}

export function preloadScreen(path: string): void {
  const found = screenOf(path);
  if (found !== null) void pageOf(found.screen);
}
