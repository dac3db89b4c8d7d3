import type { Crowding, NameSignal } from '../signals/index.ts';

/** What foresees a listing. A signal is never a listing: it sets neither counts nor `malicious`. */
export type SignalFacts = {
  /** Of an address: how crowded with listed addresses its network is. */
  readonly neighbourhood: Crowding | null;
  /** Of a name: it resembles listed names. */
  readonly name: NameSignal | null;
  /** Of an internationalised name: the popular name that it looks like. */
  readonly imitates: string | null;
};

export const NO_SIGNALS: SignalFacts = { neighbourhood: null, name: null, imitates: null };

export const SIGNAL_NAMES = ['neighbourhood', 'name', 'imitates'] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];
