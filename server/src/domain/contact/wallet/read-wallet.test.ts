import { bech32 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { readWallet } from './read-wallet.ts';

const GENESIS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
/** One address for each chain and form, from BIP 173, BIP 350, EIP-55, CashAddr and public registers. */
const VALID = [
  [GENESIS, 'bitcoin'],
  ['1111111111111111111114oLvT2', 'bitcoin'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'bitcoin'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bitcoin'],
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'bitcoin'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'ethereum'],
  ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'ethereum'],
  ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'ethereum'],
  ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', 'ethereum'],
  ['qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoin-cash'],
  ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoin-cash'],
  ['BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A', 'bitcoin-cash'],
  ['LNf2JDiuunBz7GMDKFYHN4rq5meXWxiwfb', 'litecoin'],
  ['M8yFL6SFC6TreATegTyuSYkDfDRbisdpT3', 'litecoin'],
  ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'dogecoin'],
  ['XnPFsRWTaSgiVauosEwQ6dEitGYXgwznz2', 'dash'],
  ['TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre', 'tron'],
  ['t1MMXtBrSp1XG38Lx9cePcNUCJj5vdWfUWL', 'zcash'],
  [bech32.encode('zs', bech32.toWords(new Uint8Array(43).fill(7)), 90), 'zcash'],
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'ripple'],
  [
    '49HqitRzdnhYjgTEAhgGpCfsjdTeMbUTU6cyR4JV1R7k2Eej9rGT8JpFiYDa4tZM6RZiFrHmMzgSrhHEqpDYKBe5B2ufNsL',
    'monero',
  ],
  [
    '884Bz8UH63aYsjVdkfWfScRYWZGGNbjFL7pztqvWNSrtYT4reFSwyvkCj9KEGUtheHhhMUj87ciTBFyzoesrMJ4L1FvSoxL',
    'monero',
  ],
] as const;

const reasonOf = (text: string): string => {
  const read = readWallet(text);
  return read.ok ? `accepted as ${read.wallet.chain}` : read.reason;
};

describe('readWallet', () => {
  test.each(VALID)('%s is an address of %s', (text, chain) => {
    expect(readWallet(text)).toMatchObject({ ok: true, wallet: { kind: 'crypto', chain } });
  });

  test('every spelling of an address becomes one value, the one that listings are stored under', () => {
    const keptAs = (text: string) => {
      const read = readWallet(text);
      return read.ok ? read.wallet.value : null;
    };
    const upper = keptAs('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4');
    expect(upper).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    expect(keptAs('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    );
    expect(keptAs(`bitcoin:${GENESIS}?amount=0.5&label=x`)).toBe(GENESIS);
    expect(keptAs('ethereum:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed@1/transfer')).toBe(
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    );
    for (const copied of [`  ${GENESIS} `, `\u200b${GENESIS}`, `"${GENESIS}".`, `(${GENESIS})`])
      expect(keptAs(copied), copied).toBe(GENESIS);
  });

  /** Replaces the letter at every position with another of the same alphabet; only the checksum can catch that. */
  test.each(VALID.filter(([text]) => !/^0x(?:[0-9a-f]+|[0-9A-F]+)$/.test(text)))(
    'a wrong letter anywhere in %s is noticed',
    (text) => {
      const start = text.includes(':') ? text.indexOf(':') + 1 : 0;
      for (let at = start + 1; at < text.length; at += 1) {
        const letter = text.charAt(at);
        const other = otherLetter(text, letter);
        if (other === null) continue;
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        expect(readWallet(changed).ok, changed).toBe(false);
      }
    },
  );

  test('a mixed-case Ethereum address with the case of one letter changed is refused, and the refusal names EIP-55', () => {
    expect(reasonOf('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).toMatch(/EIP-55/);
  });

  test.each([
    [
      'version 1 checked as Bech32 (BIP 350)',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    ],
    ['version 0 checked as Bech32m (BIP 350)', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
    ['mixed case (BIP 173)', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    ['version 0 with a program of 16 bytes (BIP 141)', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
  ])('%s is refused', (_, text) => {
    expect(readWallet(text).ok).toBe(false);
  });

  test('an address of a test network is refused as such', () => {
    expect(reasonOf('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toMatch(/test network/);
  });

  test.each([
    '',
    'hello',
    'example.com',
    '0x1234',
    'a'.repeat(2_000),
    '5be5543ff73456ab9f2d207887e2af87',
    '١'.repeat(34),
  ])('%s is not a wallet address and does not look like one', (text) => {
    expect(readWallet(text)).toMatchObject({ ok: false, isWalletLike: false });
  });
});

/** A letter of the same alphabet, so that only the checksum can refuse it; null where only the case would change. */
function otherLetter(text: string, letter: string): string | null {
  if (text.startsWith('0x')) return /\d/.test(letter) ? String((Number(letter) + 1) % 10) : null;
  if (/\d/.test(letter)) return letter === '7' ? '8' : '7';
  if (/[a-z]/.test(letter)) return letter === 'q' ? 'z' : 'q';
  return letter === 'Q' ? 'Z' : 'Q';
}
