import type { Wallet } from '#domain/contact/index.ts';
import { accusationsIn, type ContactAssessor } from './assess-contact.ts';
import type { WalletResult } from './contract.ts';
import { categoriesOf, factorsOf, presentSources, riskOf, summaryOf } from './present-contact.ts';

/** A wallet is judged by lists alone (decisions 3.3). An unlisted one is inconclusive, like an unknown hash. */
export function checkWallet(assess: ContactAssessor, wallet: Wallet): WalletResult {
  const { listings, judgement } = assess({ kind: 'crypto', value: wallet.value });
  const { verdict, score, level } = judgement;
  return {
    address: wallet.value,
    chain: wallet.chain,
    valid: true,
    riskScore: riskOf(score, level, summaryOf('address', listings, verdict)),
    localBlacklistHit: accusationsIn(listings).length > 0,
    sources: presentSources(listings),
    categories: categoriesOf(listings),
    factors: factorsOf(listings, score),
    apiVersion: 'v2',
  };
}
