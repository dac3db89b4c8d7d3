import type { Crypto } from '#domain/indicator/index.ts';

/** The contract names the first two; lists of sanctioned wallets name the others, and what is listed must be found. */
export const CHAINS = [
  'bitcoin',
  'ethereum',
  'bitcoin-cash',
  'bitcoin-gold',
  'dash',
  'dogecoin',
  'litecoin',
  'monero',
  'ripple',
  'tron',
  'zcash',
] as const;
export type Chain = (typeof CHAINS)[number];

/** An address whose checksum holds. A chain without one (Solana) is not told from other text, so it is not here. */
export type Wallet = Crypto & { readonly chain: Chain };

export type WalletResult =
  | { readonly ok: true; readonly wallet: Wallet }
  | {
      readonly ok: false;
      /** One sentence, fit for the caller. */
      readonly reason: string;
      /** It has the form of an address, so nothing else is meant. */
      readonly isWalletLike: boolean;
    };
