import { parseCrypto } from '#domain/indicator/index.ts';
import { normalizeText } from '../../indicator/normalize-text.ts';
import { refang } from '../../indicator/refang.ts';
import {
  hasCashChecksum,
  hasEthereumChecksum,
  readBase58Check,
  readBech32,
  readMonero,
  readRipple,
  readSegwit,
} from './checksums.ts';
import { CHAINS, type Chain, type Wallet, type WalletResult } from './wallet.ts';

const TEXT_MAX = 512;
const HASH_BYTES = 20;

/**
 * The first byte of a Base58Check payload. Verge shares a version with Dogecoin, and old Litecoin scripts share one
 * with Bitcoin; the larger chain is reported.
 */
const VERSIONS: Readonly<Record<number, Chain>> = {
  0: 'bitcoin',
  5: 'bitcoin',
  16: 'dash',
  22: 'dogecoin',
  23: 'bitcoin-gold',
  30: 'dogecoin',
  38: 'bitcoin-gold',
  48: 'litecoin',
  50: 'litecoin',
  65: 'tron',
  76: 'dash',
};
const ZCASH_VERSIONS: readonly number[] = [0x1cb8, 0x1cbd];
/** Payload bytes of the three Monero forms: an address, an address with a payment id, and a subaddress. */
const MONERO_BYTES: Readonly<Record<number, number>> = { 18: 65, 19: 73, 42: 65 };
const SEGWIT: Readonly<Record<string, Chain>> = { bc: 'bitcoin', ltc: 'litecoin' };
const SAPLING_BYTES = 43;

const SCHEME = new RegExp(`^(?:${[...CHAINS, 'bitcoincash'].join('|')}):(?://)?`, 'i');
const ETHEREUM = /^0x[0-9a-f]{40}$/i;
const BECH32 = /^(?:bc|ltc)1[a-z0-9]{6,87}$/i;
const SAPLING = /^zs1[a-z0-9]{75}$/i;
const CASH = /^[qp][a-z0-9]{41}$/i;
const MONERO = /^[48][1-9A-HJ-NP-Za-km-z]{94,105}$/;
const RIPPLE = /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/;
const TEST_NETWORK = /^(?:tb1|bcrt1|tltc1|[mn2][1-9A-HJ-NP-Za-km-z]{33}$)/i;

const WRONG =
  'The checksum of this address does not hold, so a character of it is wrong; copy it again and send it whole.';
const MIXED =
  'The capital letters of this Ethereum address do not match its checksum (EIP-55); copy it again, or send it in lower case.';
const TEST_MONEY =
  'This is an address of a test network, where coins have no value; send an address of the main network.';
const UNKNOWN =
  'This is not an address of Bitcoin, Ethereum or another supported chain; send it as the wallet writes it.';

const refuse = (reason: string, isWalletLike: boolean): WalletResult => ({ ok: false, reason, isWalletLike });

/** Verifies the checksum: an address that cannot exist is refused instead of being reported as not listed. */
export function readWallet(text: string): WalletResult {
  const plain = text.length > TEXT_MAX ? null : refang(normalizeText(text));
  if (plain === null) return refuse(UNKNOWN, false);
  const address = withoutScheme(plain);
  if (ETHEREUM.test(address)) return readEthereum(address);
  const chain = chainOf(address);
  if (chain !== null) return accepted(address, chain);
  if (parseCrypto(address).ok) return refuse(WRONG, true);
  return TEST_NETWORK.test(address) ? refuse(TEST_MONEY, true) : refuse(UNKNOWN, false);
}

/** Removes the scheme of `bitcoin:ADDRESS?amount=1` and `ethereum:ADDRESS@1/transfer` (BIP 21, EIP-681). */
function withoutScheme(text: string): string {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return text;
  const rest = text.slice(scheme.length);
  const end = rest.search(/[?@/]/);
  return end < 0 ? rest : rest.slice(0, end);
}

function readEthereum(address: string): WalletResult {
  const hex = address.slice(2);
  const isOneCase = hex === hex.toLowerCase() || hex === hex.toUpperCase();
  if (!isOneCase && !hasEthereumChecksum(hex)) return refuse(MIXED, true);
  return accepted(address, 'ethereum');
}

function chainOf(address: string): Chain | null {
  if (BECH32.test(address)) return segwitChain(address);
  if (SAPLING.test(address)) return isSapling(address) ? 'zcash' : null;
  if (CASH.test(address)) return isCash(address) ? 'bitcoin-cash' : null;
  if (MONERO.test(address)) return isMonero(address) ? 'monero' : null;
  if (RIPPLE.test(address)) return isRipple(address) ? 'ripple' : null;
  return base58Chain(address);
}

function segwitChain(address: string): Chain | null {
  const found = readSegwit(address);
  if (found === null) return null;
  const { version, bytes } = found;
  // BIP 141: a program has 2 to 40 bytes; version 0 allows 20 (key hash) or 32 (script hash) only.
  if (version > 16 || bytes < 2 || bytes > 40) return null;
  if (version === 0 && bytes !== 20 && bytes !== 32) return null;
  return SEGWIT[found.prefix] ?? null;
}

function isSapling(address: string): boolean {
  const found = readBech32(address);
  return found !== null && found.prefix === 'zs' && found.bytes === SAPLING_BYTES;
}

const isCash = (address: string): boolean =>
  (address === address.toLowerCase() || address === address.toUpperCase()) &&
  hasCashChecksum(address.toLowerCase());

function isMonero(address: string): boolean {
  const payload = readMonero(address);
  return payload !== null && payload.length === MONERO_BYTES[payload[0] ?? 0];
}

function isRipple(address: string): boolean {
  const payload = readRipple(address);
  return payload !== null && payload[0] === 0 && payload.length === 1 + HASH_BYTES;
}

function base58Chain(address: string): Chain | null {
  const payload = readBase58Check(address);
  if (payload === null) return null;
  const [first = 0, second = 0] = payload;
  if (payload.length === 1 + HASH_BYTES) return VERSIONS[first] ?? null;
  const isZcash = payload.length === 2 + HASH_BYTES && ZCASH_VERSIONS.includes(first * 256 + second);
  return isZcash ? 'zcash' : null;
}

/** The value is the form that listings are stored under, so every spelling of an address finds its listing. */
function accepted(address: string, chain: Chain): WalletResult {
  const parsed = parseCrypto(address);
  if (!parsed.ok) return refuse(UNKNOWN, false);
  const wallet: Wallet = { ...parsed.indicator, chain };
  return { ok: true, wallet };
}
