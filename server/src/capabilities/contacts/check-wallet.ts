import type { Wallet } from '#domain/contact/index.ts';
import { accusationsIn, type ContactAssessor } from './assess-contact.ts';
import type { WalletResult } from './contract.ts';
import { categoriesOf, factorsOf, presentSources, riskOf, summaryOf } from './present-contact.ts';

/** A wallet is judged by lists alone (decisions 3.3). An unlisted one is inconclusive, like an unknown hash. */
export function checkWallet(assess: ContactAssessor, wallet: Wallet): WalletResult {
  const { listings, judged } = assess([{ kind: 'crypto', value: wallet.value }]);
  return {
    address: wallet.value,
    chain: wallet.chain,
    valid: true,
    verdict: judged.verdict,
    malicious: judged.malicious,
    recommendedAction: judged.action,
    riskScore: riskOf(judged, summaryOf('address', listings, judged.verdict)),
    localBlacklistHit: accusationsIn(listings).length > 0,
    sources: presentSources(listings),
    categories: categoriesOf(listings),
    factors: factorsOf(listings, judged.score),
    apiVersion: 'v2',
  };
}
