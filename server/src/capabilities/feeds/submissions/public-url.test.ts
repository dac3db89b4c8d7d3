import { describe, expect, test } from 'vitest';
import { publicHttpsUrl } from './public-url.ts';

describe('the address of a proposed list', () => {
  test.each([
    ['https://Lists.Example.ORG/a.txt', 'https://lists.example.org/a.txt'],
    ['https://lists.example.org:443/a.txt#top', 'https://lists.example.org/a.txt'],
    ['https://bücher.example.com/x', 'https://xn--bcher-kva.example.com/x'],
    ['https://lists.example.org/a.txt?key=1', 'https://lists.example.org/a.txt?key=1'],
    ['https://8.8.8.8/list', 'https://8.8.8.8/list'],
  ])('%s is kept as %s', (text, url) => {
    expect(publicHttpsUrl(text)).toEqual({ ok: true, url });
  });

  test.each([
    ['http://lists.example.org/a.txt', /https/],
    ['ftp://lists.example.org/a.txt', /https/],
    ['https://user:secret@lists.example.org/a.txt', /user name or password/],
    ['https://user@lists.example.org/a.txt', /user name or password/],
    ['https://127.0.0.1/a.txt', /not public \(loopback\)/],
    ['https://2130706433/a.txt', /not public \(loopback\)/],
    ['https://0x7f.1/a.txt', /not public \(loopback\)/],
    ['https://[::1]/a.txt', /not public/],
    ['https://[::ffff:10.0.0.1]/a.txt', /not public/],
    ['https://10.0.0.5/a.txt', /not public/],
    ['https://169.254.169.254/latest/meta-data', /not public/],
    ['https://localhost/a.txt', /this machine/],
    ['https://db.localhost/a.txt', /this machine/],
    ['https://intranet/a.txt', /not a name or address on the public internet/],
    ['https://nas.local/a.txt', /public internet/],
    ['https://vault.internal/a.txt', /public internet/],
    ['https://lists.example.org:22/a.txt', /Port 22/],
    ['lists.example.org/a.txt', /URL/],
    ['', /URL/],
  ])('%s is refused with a sentence', (text, sentence) => {
    const read = publicHttpsUrl(text);
    expect(read.ok ? read.url : read.reason).toMatch(sentence);
  });

  test('an address that only becomes too long when it is written out is refused', () => {
    const read = publicHttpsUrl(`https://lists.example.org/${'é'.repeat(400)}`);
    expect(read).toMatchObject({ ok: false, reason: expect.stringContaining('2048') });
  });
});
