import { describe, expect, test } from 'vitest';
import { saidOf, TEXT_FORMATS } from './text-formats.fixture.ts';

describe('a plain list', () => {
  test.each([
    ['evil.com\n1.2.3.4\n', ['evil.com', '1.2.3.4']],
    ['\ufeffevil.com\r\nevil.org', ['evil.com', 'evil.org']],
    ['evil.com.\t\n a_b.evil.com \n', ['evil.com.', 'a_b.evil.com']],
    ['hxxp://evil[.]com/a\n', ['hxxp://evil[.]com/a']],
    ['bücher.de\nxn--bcher-kva.de\n', ['bücher.de', 'xn--bcher-kva.de']],
    ['*.evil.com\n.evil.org\n', ['evil.com', 'evil.org']],
    ['1.2.3.4\t10\n1.2.3.0/24 ; SBL1\n1.2.3.5   # names\n', ['1.2.3.4', '1.2.3.0/24', '1.2.3.5']],
    ['1.2.3.4:443\nevil.com:8443\n1.2.3.0/99\n', ['1.2.3.4:443', 'evil.com:8443', '1.2.3.0/99']],
    ['0.0.0.0 a.evil.com b.evil.com localhost', ['- localName', 'a.evil.com', 'b.evil.com']],
    ['# c\n; c\n! c\n// c\n\n=====\n', []],
    ['http://evil.com/a#b\n', ['http://evil.com/a#b']],
    ['http://evil.com/cut\u2026\n', ['- cutOff']],
    [`${'x'.repeat(9_000)}\nevil.com`, ['! The line is longer than 8192 characters.', 'evil.com']],
  ])('%j: %j', (text, said) => {
    expect(saidOf(TEXT_FORMATS.plain, text)).toEqual(said);
  });

  test.each([
    ['evil.com/login.php?a=b', 'http://evil.com/login.php?a=b'],
    ['1.2.3.4/8', 'http://1.2.3.4/8'],
    ['evil.com?x=1', 'http://evil.com?x=1'],
    ['evil.com/', 'evil.com'],
    ['evil.com', 'evil.com'],
    ['https://evil.com/a', 'https://evil.com/a'],
  ])('of URLs without a scheme: %s is %s', (line, text) => {
    expect(saidOf(TEXT_FORMATS['plain, URLs without a scheme'], line)).toEqual([text]);
  });

  test('of autonomous systems', () => {
    const text = 'AS64500 # name, US\n64501\nAS 64502\nASN64503';
    expect(saidOf(TEXT_FORMATS['plain, systems'], text)).toEqual(['AS64500', '64501', 'AS64502', 'ASN64503']);
  });
});

test.each([
  ['0.0.0.0 evil.com', ['evil.com']],
  ['127.0.0.1\tevil.com  # ads', ['evil.com']],
  ['0.0.0.0 a.com b.com', ['a.com', 'b.com']],
  ['::1 evil.com', ['evil.com']],
  ['fe80::1%lo0 localhost', ['- localName']],
  ['0.0.0.0 0.0.0.0', ['- localName']],
  ['evil.com', ['evil.com']],
  ['0.0.0.0 1.2.3.4', ['1.2.3.4']],
  ['two words', ['! noStatement']],
  ['# 0.0.0.0 evil.com', []],
])('a hosts line %j: %j', (line, said) => {
  expect(saidOf(TEXT_FORMATS.hosts, line)).toEqual(said);
});

test.each([
  ['||evil.com^', ['evil.com']],
  ['||evil.com^$all', ['evil.com']],
  ['||evil.com^$document,popup', ['evil.com']],
  ['||evil.com', ['evil.com']],
  ['||evil.com^*', ['evil.com']],
  ['||*.evil.com^', ['evil.com']],
  ['||evil.com/', ['evil.com']],
  ['||evil.com:8080^', ['evil.com:8080']],
  ['||1.2.3.4^', ['1.2.3.4']],
  ['||[2001:db8::1]^', ['[2001:db8::1]']],
  ['||bücher.de^', ['bücher.de']],
  ['||evil.com/a/b.exe$all', ['http://evil.com/a/b.exe']],
  ['||evil.com/a?u=script^$all', ['http://evil.com/a?u=script']],
  ['|https://evil.com/a|', ['https://evil.com/a']],
  ['evil.com', ['evil.com']],
  ['1.2.3.4', ['1.2.3.4']],
  ['evil.com/a$all', ['http://evil.com/a']],
  ['0.0.0.0 evil.com', ['evil.com']],
  ['[Adblock Plus 2.0]', []],
  ['! comment', []],
  ['# comment', []],
  ['@@||good.com^', ['- exception']],
  ['evil.com##.advert', ['- cosmetic']],
  ['##.advert', ['- cosmetic']],
  ['#@#.advert', ['- cosmetic']],
  ['evil.com#?#div:has(a)', ['- cosmetic']],
  ['/ads[0-9]+/', ['- regex']],
  ['/ads[0-9]+/$script', ['- regex']],
  ['||ads*.evil.com^', ['- wildcard']],
  ['||evil.', ['- wildcard']],
  ['||evil.com^path', ['- wildcard']],
  ['||evil.com^$domain=a.com', ['- conditional']],
  ['||evil.com^$script', ['- conditional']],
  ['||evil.com^$badfilter', ['- conditional']],
  ['-banner-', ['- noHost']],
  ['/banner/ads.', ['- noHost']],
])('an adblock rule %j: %j', (line, said) => {
  expect(saidOf(TEXT_FORMATS.adblock, line)).toEqual(said);
});

test.each([
  ['*://*.evil.com/*', ['evil.com']],
  ['*://evil.com/*', ['evil.com']],
  ['https://evil.com/', ['evil.com']],
  ['*://evil.com/page', ['http://evil.com/page']],
  ['https://evil.com/page', ['https://evil.com/page']],
  ['evil.com', ['evil.com']],
  ['*://*.evil.com/* # why', ['evil.com']],
  ['---\nname: list\n---\n*://evil.com/*', ['evil.com']],
  ['# comment', []],
  ['*://*.evil.com/page', ['- wildcard']],
  ['*://evil.*/*', ['- wildcard']],
  ['*://*/*', ['- wildcard']],
  ['<all_urls>', ['- wildcard']],
  ['/evil\\.(com|net)/', ['- regex']],
  ['title/casino/', ['- regex']],
  ['$site="x"', ['- regex']],
  ['@*://good.com/*', ['- exception']],
  ['@1*://good.com/*', ['- highlight']],
  ['what is this', ['! noRule']],
])('a uBlacklist rule %j: %j', (line, said) => {
  expect(saidOf(TEXT_FORMATS.ublacklist, line)).toEqual(said);
});

test.each([
  ['address=/evil.com/0.0.0.0', ['evil.com']],
  ['address=/evil.com/', ['evil.com']],
  ['address=/a.com/b.com/::', ['a.com', 'b.com']],
  ['address=/.evil.com/#', ['evil.com']],
  ['local=/evil.com/', ['evil.com']],
  ['server=/evil.com/', ['evil.com']],
  ['server=/a.com/b.com/ # why', ['a.com', 'b.com']],
  ['server=/good.com/#', ['- exception']],
  ['server=/evil.com/8.8.8.8', ['- forwarding']],
  ['address=/#/0.0.0.0', ['- wildcard']],
  ['address=/localhost/127.0.0.1', ['- localName']],
  ['server=8.8.8.8', ['- directive']],
  ['bogus-priv', ['- directive']],
  ['address=//0.0.0.0', ['! noStatement']],
  ['/evil.com/', ['! noStatement']],
  ['# address=/evil.com/', []],
])('a dnsmasq line %j: %j', (line, said) => {
  expect(saidOf(TEXT_FORMATS.dnsmasq, line)).toEqual(said);
});

test.each([
  ['local-zone: "evil.com" always_nxdomain', ['evil.com']],
  ["local-zone: 'evil.com.' refuse", ['evil.com.']],
  ['local-zone: evil.com static # why', ['evil.com']],
  ['local-data: "evil.com A 0.0.0.0"', ['evil.com']],
  ['local-data: "*.evil.com 3600 IN A 0.0.0.0"', ['evil.com']],
  ['server:', []],
  ['# local-zone: "evil.com" refuse', []],
  ['local-zone: "good.com" transparent', ['- exception']],
  ['local-zone: "10.in-addr.arpa." nodefault', ['- exception']],
  ['local-zone: "localhost." static', ['- localName']],
  ['local-data-ptr: "1.2.3.4 evil.com"', ['- directive']],
  ['verbosity: 1', ['- directive']],
  ['local-zone: "evil.com', ['! noStatement']],
  ['evil.com', ['! noStatement']],
])('an unbound line %j: %j', (line, said) => {
  expect(saidOf(TEXT_FORMATS.unbound, line)).toEqual(said);
});
