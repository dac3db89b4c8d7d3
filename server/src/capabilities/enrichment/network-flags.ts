import type { NetworkFlags } from './contract.ts';

/** G14, read from what the context lists call the address (`contextOf`): words of G7, and the lists' own tags. */
export const networkOfLabels = (labels: readonly string[], tags: readonly string[]): NetworkFlags => ({
  isDatacenter: labels.includes('cloud'),
  isTor: labels.includes('tor-exit') || tags.includes('tor'),
  isProxy: labels.includes('proxy'),
  isVpn: labels.includes('vpn'),
});
