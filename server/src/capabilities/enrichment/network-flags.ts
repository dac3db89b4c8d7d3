import type { NetworkFlags } from './contract.ts';

/** The flags of G14, derived from what context lists say (`contextOf`): labels of G7 and the lists' own tags. */
export const networkOfLabels = (labels: readonly string[], tags: readonly string[]): NetworkFlags => ({
  isDatacenter: labels.includes('cloud'),
  isTor: labels.includes('tor-exit') || tags.includes('tor'),
  isProxy: labels.includes('proxy'),
  isVpn: labels.includes('vpn'),
});
