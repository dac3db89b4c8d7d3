import { describe, expect, test } from 'vitest';
import { summarize } from '#test/summarize-indicator.ts';
import { parseIndicator } from './parse-indicator.ts';

const LONG_PATH = 'a'.repeat(2048 - 'http://evil.com/'.length);

describe('a URL has one canonical text', () => {
  test.each([
    ['http://EXAMPLE.com:80/a/../b#x', 'url http://example.com/b on example.com'],
    ['HTTP://evil.com', 'url http://evil.com/ on evil.com'],
    ['https://evil.com:443/', 'url https://evil.com/ on evil.com'],
    ['https://evil.com:80/', 'url https://evil.com:80/ on evil.com'],
    ['ftp://evil.com:21/pub/x.exe', 'url ftp://evil.com/pub/x.exe on evil.com'],
    ['http://evil.com:08080/', 'url http://evil.com:8080/ on evil.com'],
    ['http://evil.com./', 'url http://evil.com/ on evil.com'],
    ['http://evil.com/Path/Case', 'url http://evil.com/Path/Case on evil.com'],
    ['http://evil.com?q=1', 'url http://evil.com/?q=1 on evil.com'],
    ['http://evil.com/?', 'url http://evil.com/ on evil.com'],
    ['http://evil.com/#', 'url http://evil.com/ on evil.com'],
    ['http://evil.com/a?b=c&D=E', 'url http://evil.com/a?b=c&D=E on evil.com'],
    ['http://evil.com/a?b=2&a=1', 'url http://evil.com/a?b=2&a=1 on evil.com'],
    ['http://evil.com/a?b#frag', 'url http://evil.com/a?b on evil.com'],
    ['http://evil.com/./a/./b/../c', 'url http://evil.com/a/c on evil.com'],
    ['http://evil.com/a/b/..', 'url http://evil.com/a/ on evil.com'],
    ['http://evil.com/a/.', 'url http://evil.com/a/ on evil.com'],
    ['http://evil.com/../../x', 'url http://evil.com/x on evil.com'],
    ['http://evil.com/a/%2e%2e/b', 'url http://evil.com/b on evil.com'],
    ['http://evil.com//a//b', 'url http://evil.com//a//b on evil.com'],
    ['http://evil.com/%7Euser', 'url http://evil.com/~user on evil.com'],
    ['http://evil.com/%41%2d%5f', 'url http://evil.com/A-_ on evil.com'],
    ['http://evil.com/a%2fb%3Fc', 'url http://evil.com/a%2Fb%3Fc on evil.com'],
    ['http://evil.com/%e4%bd%a0', 'url http://evil.com/%E4%BD%A0 on evil.com'],
    ['http://evil.com/你', 'url http://evil.com/%E4%BD%A0 on evil.com'],
    ['http://evil.com/a b', 'url http://evil.com/a%20b on evil.com'],
    ['http://evil.com/100%', 'url http://evil.com/100%25 on evil.com'],
    ['http://evil.com/%2541', 'url http://evil.com/%2541 on evil.com'],
    ['http://evil.com/%zz', 'url http://evil.com/%25zz on evil.com'],
    ['http://evil.com/?a[]=1', 'url http://evil.com/?a%5B%5D=1 on evil.com'],
    ['http://evil.com/?q={x}|y', 'url http://evil.com/?q=%7Bx%7D%7Cy on evil.com'],
    ['http://evil.com/foo_(bar)', 'url http://evil.com/foo_(bar) on evil.com'],
    ['(http://evil.com/foo)', 'url http://evil.com/foo on evil.com'],
    ['http://evil.com/foo).', 'url http://evil.com/foo on evil.com'],
    ['see http://evil.com/', 'no unrecognized'],
    ['http://user:secret@evil.com/', 'url http://evil.com/ on evil.com'],
    ['http://paypal.com@evil.com/', 'url http://evil.com/ on evil.com'],
    ['http://evil.com\\@good.com/', 'url http://evil.com/@good.com/ on evil.com'],
    ['http:evil.com/a', 'url http://evil.com/a on evil.com'],
    ['http:/evil.com/a', 'url http://evil.com/a on evil.com'],
    ['http:\\\\evil.com\\a', 'url http://evil.com/a on evil.com'],
    ['http:\\/\\/evil.com\\/a', 'url http://evil.com/a on evil.com'],
    ['http://%65vil.com/', 'url http://evil.com/ on evil.com'],
    ['http://ｅｖｉｌ.com/', 'url http://evil.com/ on evil.com'],
    ['http://münchen.de/ü', 'url http://xn--mnchen-3ya.de/%C3%BC on xn--mnchen-3ya.de'],
    ['http://例え。jp/', 'url http://xn--r8jz45g.jp/ on xn--r8jz45g.jp'],
    ['http://gov.uk/x', 'url http://gov.uk/x on gov.uk'],
    [`http://evil.com/${LONG_PATH}`, `url http://evil.com/${LONG_PATH} on evil.com`],
  ])('%j is %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test.each([
    ['http://1.2.3.4/bins.sh', 'url http://1.2.3.4/bins.sh on 1.2.3.4'],
    ['http://1.2.3.4:8080', 'url http://1.2.3.4:8080/ on 1.2.3.4'],
    ['http://0x7f.1/', 'url http://127.0.0.1/ on 127.0.0.1'],
    ['http://2130706433/', 'url http://127.0.0.1/ on 127.0.0.1'],
    ['http://0177.0.0.1/', 'url http://127.0.0.1/ on 127.0.0.1'],
    ['http://[2001:DB8::1]/', 'url http://[2001:db8::1]/ on 2001:db8::1'],
    ['http://[2001:db8:0:0::1]:8080/a', 'url http://[2001:db8::1]:8080/a on 2001:db8::1'],
    ['http://[::ffff:1.2.3.4]/', 'url http://1.2.3.4/ on 1.2.3.4'],
    ['http://[::1.2.3.4]/', 'url http://[::102:304]/ on ::102:304'],
    ['http://[fe80::1%25eth0]/', 'no brokenUrl'],
    ['http://256.1.1.1/', 'no brokenUrl'],
    ['http://1.2.3.4.5/', 'no brokenUrl'],
  ])('a host that is an address is that address, as a browser would open it: %j is %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test.each([
    ['hxxp://evil.com/', 'url http://evil.com/ on evil.com'],
    ['hXXps://evil[.]com/', 'url https://evil.com/ on evil.com'],
    ['HXXPS://evil.com', 'url https://evil.com/ on evil.com'],
    ['hxxps[:]//evil[.]com/index[.]php', 'url https://evil.com/index.php on evil.com'],
    ['hxxp[://]evil[.]com/', 'url http://evil.com/ on evil.com'],
    ['http[:]//evil(dot)com', 'url http://evil.com/ on evil.com'],
    ['hxxp:[//]evil.com', 'url http://evil.com/ on evil.com'],
    ['htxp://evil.com', 'url http://evil.com/ on evil.com'],
    ['hxtps://evil.com', 'url https://evil.com/ on evil.com'],
    ['h**p://evil.com', 'url http://evil.com/ on evil.com'],
    ['meow://evil.com', 'url http://evil.com/ on evil.com'],
    ['meows://evil.com', 'url https://evil.com/ on evil.com'],
    ['fxp://evil.com/x', 'url ftp://evil.com/x on evil.com'],
    ['"hxxp://evil.com/a",', 'url http://evil.com/a on evil.com'],
    ['<hxxp://evil.com/a>', 'url http://evil.com/a on evil.com'],
    ['hxxp://evil\\.com/a', 'url http://evil.com/a on evil.com'],
    ['hxxp://evil [.] com/a', 'url http://evil.com/a on evil.com'],
    ['hxxp://evil dot com/a', 'url http://evil.com/a on evil.com'],
    ['hxxp://evil[.com/a', 'url http://evil.com/a on evil.com'],
    ['hxxp://1.2.3[.]4:8080/a', 'url http://1.2.3.4:8080/a on 1.2.3.4'],
    ['"hxxp://evil.com/a/b/.."', 'url http://evil.com/a/ on evil.com'],
    ['hxxp://user[@]evil.com/', 'url http://evil.com/ on evil.com'],
    ['http://evil.com/?mail=a(at)b', 'url http://evil.com/?mail=a(at)b on evil.com'],
    ['http://evil.com/a%5B.%5Db', 'url http://evil.com/a%5B.%5Db on evil.com'],
    ['http://evil.com/a(%2E)b', 'url http://evil.com/a.b on evil.com'],
    ['http://evil.com/a%2E', 'url http://evil.com/a on evil.com'],
  ])('defanged %j is %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test.each([
    ['http://', 'no brokenUrl'],
    ['http:///', 'no brokenUrl'],
    ['http://?', 'no brokenUrl'],
    ['http://evil.com:99999/', 'no brokenUrl'],
    ['http://evil.com:x/', 'no brokenUrl'],
    ['http://exa mple.com/', 'no brokenUrl'],
    ['http://evil!.com/', 'no brokenUrl'],
    ['http://localhost/', 'no singleLabel'],
    ['http://com/', 'no isSuffix'],
    ['http://foo.internal/', 'no reservedName'],
    ['http://-evil.com/', 'no domainLabel'],
    ['http://evil..com/', 'no domainLabel'],
    [`http://${'a'.repeat(64)}.com/`, 'no domainTooLong'],
    ['ssh://evil.com', 'no otherScheme'],
    ['ws://evil.com/', 'no otherScheme'],
    ['file:///etc/passwd', 'no otherScheme'],
    ['javascript:alert(1)', 'no unrecognized'],
    ['data:text/html,hi', 'no unrecognized'],
    ['httpx://evil.com', 'no otherScheme'],
    [`http://evil.com/${'ü'.repeat(1_000)}`, 'no urlTooLong'],
    [`http://evil.com/${LONG_PATH}a`, 'no tooLong'],
  ])('%j is refused: %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });
});
