import type { Crypto } from '#domain/indicator/index.ts';

/** The contract names the first two chains; sanction lists also name the others, so their listings must be findable. */
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

/** An address with a valid checksum. Solana addresses have none and cannot be told from other text. */
export type Wallet = Crypto & { readonly chain: Chain };

export type WalletResult =
  | { readonly ok: true; readonly wallet: Wallet }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The text has the form of an address, so no other kind needs to be tried. */
      readonly isWalletLike: boolean;
    };
