import { createContext, use } from 'react';
import type { Params } from './address.ts';
import type { Place } from './place.ts';

export type Shown = Place & { readonly params: Params };
export const ShownPlace = createContext<Shown | null>(null);

/** The place whose screen is shown. While the next screen loads, that is still the place before. */
export function useShownPlace(): Shown {
  const shown = use(ShownPlace);
  if (shown === null) throw new Error('Only a screen has a shown place.');
  return shown;
}
