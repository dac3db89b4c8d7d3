import { describe, expect, test } from 'vitest';
import { claimDescription, claimText, claimUrlOf, defangedHostOf } from './claim-text.ts';

describe('text of a claim', () => {
  test.each([
    ['entities are read once trackers and leak sites have escaped them', 'A &amp;amp; B&#039;s', "A & B's"],
    ['markup is no markup', '<img src=x onerror=alert(1)>', '‹img src=x onerror=alert(1)›'],
    ['escaped markup is none either', '&lt;script&gt;alert(1)&lt;/script&gt;', '‹script›alert(1)‹/script›'],
    ['invisible and reversing characters go', 'Ac\u202eme\u200b Ltd', 'Acme Ltd'],
    ['lines become one line', 'Acme\r\n\tLtd', 'Acme Ltd'],
    ['an onion name without a scheme', 'see abcdefghij234567.onion/x', 'see abcdefghij234567[.]onion/x'],
    ['an address behind another without a blank', 'a.phphttp://b.onion/c', 'a.phphxxp[://]b[.]onion/c'],
    ['any other address', 'HTTPS://leak.example.com/x', 'hxxps[://]leak[.]example[.]com/x'],
  ])('%s', (_promise, said, text) => {
    expect(claimText(said, 300)).toBe(text);
  });

  test('nothing left, or no text, is null', () => {
    for (const value of ['', ' \u200b ', null, 7, {}]) expect(claimText(value, 300)).toBeNull();
  });

  test('a description that a tracker marks as written by a model is dropped', () => {
    expect(claimDescription('[AI generated] Acme sells things.', 300)).toBeNull();
    expect(claimDescription('Acme sells things. [ai-generated]', 300)).toBeNull();
    expect(claimDescription('N/A', 300)).toBeNull();
    expect(claimDescription('Acme sells things.', 300)).toBe('Acme sells things.');
  });

  test('the address of a claim is defanged, and anything else is none', () => {
    expect(claimUrlOf('http://abc.onion/p?id=1')).toBe('hxxp[://]abc[.]onion/p?id=1');
    expect(claimUrlOf('http://None')).toBeNull();
    expect(claimUrlOf('javascript:alert(1)')).toBeNull();
  });

  test('a host of a leak site has no dot that can be followed', () => {
    expect(defangedHostOf('http://abc.onion/index.php')).toBe('abc[.]onion');
    expect(defangedHostOf('92.118.36.204')).toBe('92[.]118[.]36[.]204');
    expect(defangedHostOf('not a host')).toBeNull();
  });
});
