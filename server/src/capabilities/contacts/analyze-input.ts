import type { Asker, createCheck } from '#capabilities/check/index.ts';
import type { Detected, Wallet } from '#domain/contact/index.ts';
import type { Analysis, EmailReport, PhoneResult, WalletResult } from './contract.ts';
import type { AnalyzeBody, EmailQuery, PhoneQuery } from './contract-query.ts';

type ContactChecks = {
  readonly reportEmail: (query: EmailQuery, signal?: AbortSignal, asker?: Asker) => Promise<EmailReport>;
  readonly checkPhone: (query: PhoneQuery) => PhoneResult;
  readonly checkWallet: (wallet: Wallet) => WalletResult;
};

export async function analyzeInput(
  deps: { readonly check: ReturnType<typeof createCheck>['check'] },
  contacts: ContactChecks,
  { input, found }: AnalyzeBody,
  signal: AbortSignal | undefined,
  asker: Asker | undefined,
): Promise<Analysis> {
  const normalized = normalizedOf(found);
  switch (found.type) {
    case 'email': {
      const query: EmailQuery = { email: found.indicator, enrichment: 'standard' };
      return {
        detectedType: found.type,
        input,
        normalized,
        ...(await contacts.reportEmail(query, signal, asker)),
      };
    }
    case 'phone':
      return {
        detectedType: found.type,
        normalized,
        ...contacts.checkPhone({ input, reading: found.reading }),
      };
    case 'crypto':
      return { detectedType: found.type, input, normalized, ...contacts.checkWallet(found.wallet) };
    default: {
      const query = { indicator: found.indicator, enrichment: 'standard', asOfMs: null } as const;
      const waiting = {
        ...(signal !== undefined && { signal }),
        ...(asker !== undefined && { principal: asker }),
      };
      const result = await deps.check(query, waiting);
      return { detectedType: found.type, input, normalized, ...result };
    }
  }
}

function normalizedOf(found: Detected): string | null {
  if (found.type === 'phone') return found.reading.state === 'resolved' ? found.reading.phone.value : null;
  return found.type === 'crypto' ? found.wallet.value : found.indicator.value;
}
