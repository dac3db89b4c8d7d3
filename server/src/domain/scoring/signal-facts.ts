import type { BrandSignal, Crowding, NameSignal, TenantSignal } from '../signals/index.ts';

/** What foresees a listing. A signal is never a listing: it sets neither counts nor `malicious`. */
export type SignalFacts = {
  /** Of an address: how crowded with listed addresses its network is. */
  readonly neighbourhood: Crowding | null;
  /** Of a name: it resembles listed names. */
  readonly name: NameSignal | null;
  /** Of an internationalised name: the popular name that it looks like. */
  readonly imitates: string | null;
  /** Of a tenant of a platform: the scorecard of its name and of its platform. */
  readonly tenant: TenantSignal | null;
  /** Of a name: it uses the brand of somebody else. */
  readonly brand: BrandSignal | null;
};

export const NO_SIGNALS: SignalFacts = {
  neighbourhood: null,
  name: null,
  imitates: null,
  tenant: null,
  brand: null,
};

export const SIGNAL_NAMES = ['neighbourhood', 'name', 'imitates', 'tenant', 'brand'] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];
