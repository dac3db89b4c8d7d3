import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { parseIndicator } from '../parse-indicator.ts';
import { REJECTIONS } from '../rejections.ts';
import { extractIndicators } from './extract-indicators.ts';

const MD5 = '44d88612fea8a8f36de82e1278abb02f';
const SHA1 = '3395856ce81f2b7382dee72602f798b642f14140';
const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';

const values = (text: string) =>
  extractIndicators(text).found.map(({ indicator }) => `${indicator.kind} ${indicator.value}`);

type Line = readonly [line: string, ...expected: string[]];

const SERVER_LOGS: readonly Line[] = [
  [
    'Nov 15 03:14:07 web1 sshd[2211]: Failed password for root from 218.92.0.34 port 40122 ssh2',
    'ip 218.92.0.34',
  ],
  [
    'Nov 15 03:14:09 web1 sshd[2211]: Invalid user admin from 2a0b:f4c2:1:2::1 port 5022',
    'ip 2a0b:f4c2:1:2::1',
  ],
  [
    'sshd[811]: reverse mapping checking getaddrinfo for host-45.evil-isp.com [45.155.205.9] failed.',
    'domain host-45.evil-isp.com',
    'ip 45.155.205.9',
  ],
  [
    '45.155.205.233 - - [15/Nov/2026:03:14:07 +0000] "GET /index.php?s=/module HTTP/1.1" 404 153 "-" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/91.0.864.59"',
    'ip 45.155.205.233',
  ],
  [
    '93.184.216.34 - - [15/Nov/2026:03:14:07 +0000] "GET /setup.sh HTTP/1.0" 200 12 "http://evil.com/a?b=c&d=e" "curl/8.5.0"',
    'ip 93.184.216.34',
    'url http://evil.com/a?b=c&d=e',
  ],
  [
    '2026/11/15 03:14:07 [error] 31#31: *1 connect() failed, client: 5.188.10.2, server: shop.example.com, upstream: "http://10.0.0.7:8080/x", host: "shop.example.com"',
    'ip 5.188.10.2',
    'domain shop.example.com',
    'url http://10.0.0.7:8080/x',
  ],
  [
    '1731640447.123 87 10.1.2.3 TCP_MISS/200 4512 GET http://cdn.bad-site.ru/p.js - HIER_DIRECT/185.220.101.1 text/javascript',
    'ip 10.1.2.3',
    'url http://cdn.bad-site.ru/p.js',
    'ip 185.220.101.1',
  ],
  [
    '1731640447.123000\tCHhAvVGS1DHFjwGM9\t192.168.1.5\t49152\t91.92.240.10\t443\ttcp\tssl\t12.5\t-',
    'ip 192.168.1.5',
    'ip 91.92.240.10',
  ],
  [
    '#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tquery\n1731640447.1\tC1\t10.0.0.5\t53211\t8.8.8.8\tupdate.evil-cdn.net',
    'ip 10.0.0.5',
    'ip 8.8.8.8',
    'domain update.evil-cdn.net',
  ],
  [
    'kernel: [UFW BLOCK] IN=eth0 OUT= MAC=00:16:3e:aa:bb:cc:00:16:3e:dd:ee:ff:08:00 SRC=89.248.165.2 DST=203.0.114.9 LEN=40 TOS=0x00',
    'ip 89.248.165.2',
    'ip 203.0.114.9',
  ],
  [
    '%ASA-6-302013: Built inbound TCP connection 21 for outside:91.240.118.5/4321 (91.240.118.5/4321) to inside:10.0.0.8/443',
    'ip 91.240.118.5',
    'ip 10.0.0.8',
  ],
  [
    '%ASA-6-106100: access-list out permitted tcp outside/91.240.118.5(51000) -> inside/10.0.0.8(80) hit-cnt 1',
    'ip 91.240.118.5',
    'ip 10.0.0.8',
  ],
  [
    '03:14:07.123456 IP 192.168.1.5.54321 > 8.8.4.4.53: 4711+ A? c2.evil.top. (29)',
    'ip 192.168.1.5',
    'ip 8.8.4.4',
    'domain c2.evil.top',
  ],
  [
    'postfix/smtpd[99]: NOQUEUE: reject: RCPT from mail.spam-house.biz[193.56.29.4]:25: 554 5.7.1 Service unavailable',
    'domain mail.spam-house.biz',
    'ip 193.56.29.4',
  ],
  [
    'named[7]: client @0x7f2 10.9.8.7#53112 (x.dga-host.info): query: x.dga-host.info IN A +E(0)K',
    'ip 10.9.8.7',
    'domain x.dga-host.info',
  ],
  [
    'CEF:0|Vendor|IDS|1.0|100|Trojan|9|src=10.2.3.4 dst=45.9.148.3 request=http://45.9.148.3/bins.sh dpt=80',
    'ip 10.2.3.4',
    'ip 45.9.148.3',
    'url http://45.9.148.3/bins.sh',
  ],
  [
    'src=8.8.8.8:53,dst=9.9.9.9:53,url=http://evil.com/a,status=200',
    'ip 8.8.8.8',
    'ip 9.9.9.9',
    'url http://evil.com/a',
  ],
  ['fe80::1%eth0 is unreachable from ::ffff:185.220.101.1', 'ip fe80::1', 'ip 185.220.101.1'],
  ['[2001:4860:4860::8888]:443 answered in 12 ms', 'ip 2001:4860:4860::8888'],
  ['tcp://45.9.148.3:4444 and ssh://root@45.9.148.4', 'ip 45.9.148.3', 'ip 45.9.148.4'],
];

const TABLES: readonly Line[] = [
  ['2026-11-15,http://evil.com/x,online,malware_download', 'url http://evil.com/x'],
  ['http://evil.com/x,2026-11-15,malware', 'url http://evil.com/x'],
  ['http://news.example.com/a,1,2.html', 'url http://news.example.com/a,1,2.html'],
  [
    'http://a.example.com/1,http://b.example.com/2;http://c.example.com/3',
    ...['a', 'b', 'c'].map((name, i) => `url http://${name}.example.com/${i + 1}`),
  ],
  ['"45.9.148.3","443","2026-11-15 03:14:07","QakBot"', 'ip 45.9.148.3'],
  [`45.9.148.3;evil.com;${MD5}|${SHA1}`, 'ip 45.9.148.3', 'domain evil.com', `hash ${MD5}`, `hash ${SHA1}`],
  [
    '45.9.148.0/24\t2001:db8:1::/48\t10.0.0.0[/]8',
    'cidr 45.9.148.0/24',
    'cidr 2001:db8:1::/48',
    'cidr 10.0.0.0/8',
  ],
  ['45.9.148.7/24 is an address with its mask', 'ip 45.9.148.7'],
  ['45.9.148.1-45.9.148.9', 'ip 45.9.148.1', 'ip 45.9.148.9'],
  [
    '0.0.0.0 ads.tracker.com\n127.0.0.1 malware.host.net # comment',
    'ip 0.0.0.0',
    'domain ads.tracker.com',
    'ip 127.0.0.1',
    'domain malware.host.net',
  ],
  ['||evil-ads.com^$third-party\n@@||good.example.org^', 'domain evil-ads.com', 'domain good.example.org'],
  ['*.evil.com, .sub.evil.net', 'domain evil.com', 'domain sub.evil.net'],
  ['olx-dostawa.pl\ntelekom-login.rs\n', 'domain olx-dostawa.pl', 'domain telekom-login.rs'],
  ['EVIL.COM.\r\nEvil.Com\r\nevil.com:8443', 'domain evil.com'],
];

const JSON_LINES: readonly Line[] = [
  [
    '{"src_ip":"45.9.148.3","dest_port":443,"tls":{"sni":"c2.evil.top"}}',
    'ip 45.9.148.3',
    'domain c2.evil.top',
  ],
  [`{"url":"http:\\/\\/evil.com\\/a\\/b.exe","md5":"${MD5}"}`, 'url http://evil.com/a/b.exe', `hash ${MD5}`],
  ['{"log":"bad 45.9.148.3\\nevil.com\\ttested"}', 'ip 45.9.148.3', 'domain evil.com'],
  [
    "['45.9.148.3', 'evil.com', 'http://evil.com/it']",
    'ip 45.9.148.3',
    'domain evil.com',
    'url http://evil.com/it',
  ],
  ["see http://evil.com/it's/here", "url http://evil.com/it's/here"],
  [
    'ip: 45.9.148.3\nhost: evil.com\n- hxxp://evil.com/',
    'ip 45.9.148.3',
    'domain evil.com',
    'url http://evil.com/',
  ],
  ['u=http%3A%2F%2Fevil.com%2Fpath', 'domain evil.com'],
  ['pattern: ^https?:\\/\\/evil\\.com', 'domain evil.com'],
];

const MAIL: readonly Line[] = [
  [
    'Received: from mail.phish.top (unknown [193.56.29.4]) by mx.example.org (Postfix) with ESMTPS id 4XyZ; Sun, 15 Nov 2026 03:14:07 +0000 (UTC)',
    'domain mail.phish.top',
    'ip 193.56.29.4',
    'domain mx.example.org',
  ],
  ['From: "Bank" <alert+x@bank-login.top>', 'email alert+x@bank-login.top'],
  ['Reply-To: user[at]evil[.]com', 'email user@evil.com'],
  [
    'Authentication-Results: mx.example.org; spf=fail smtp.mailfrom=bounce@spam.biz; dkim=none header.d=; dmarc=fail header.from=bank.com',
    'domain mx.example.org',
    'email bounce@spam.biz',
    'domain bank.com',
  ],
  [
    'DKIM-Signature: v=1; a=rsa-sha256; d=evil.com; s=s1; h=from:to; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'domain evil.com',
  ],
  [
    '<a href="https://login.evil.com/verify?u=1">https://bank.com/</a>',
    'url https://login.evil.com/verify?u=1',
    'url https://bank.com/',
  ],
];

const REPORTS: readonly Line[] = [
  ['The C2 at 45.9.148[.]3 served hxxps://evil[.]com/a.', 'ip 45.9.148.3', 'url https://evil.com/a'],
  ['hxxp[://]evil[.]com/x and hxxps[:]//evil(dot)net/y', 'url http://evil.com/x', 'url https://evil.net/y'],
  [
    'evil [.] com, evil(.)net, evil{.}org, evil<.>biz, evil[dot]info',
    ...['com', 'net', 'org', 'biz', 'info'].map((end) => `domain evil.${end}`),
  ],
  ['2001[:]db8[:][:]1 was seen', 'ip 2001:db8::1'],
  [`Dropper (SHA256: ${SHA256}), md5=${MD5.toUpperCase()}`, `hash ${SHA256}`, `hash ${MD5}`],
  [`VirusShare_${MD5} and ${SHA256}.exe`, `hash ${MD5}`, `hash ${SHA256}`],
  [
    '[the page](http://evil.com/a) and [http://evil.net/b](http://evil.net/b)',
    'url http://evil.com/a',
    'url http://evil.net/b',
  ],
  ['(see http://evil.com/wiki/A_(b))', 'url http://evil.com/wiki/A_(b)'],
  [
    '“http://evil.com/a”, ‘evil.net’ … «evil.org»',
    'url http://evil.com/a',
    'domain evil.net',
    'domain evil.org',
  ],
  ['Visit evil.com/login.php or 45.9.148.3/bins.sh', 'domain evil.com', 'ip 45.9.148.3'],
  ['该域名evil.com已被封', 'domain evil.com'],
  ['bücher.example.de and ｅｖｉｌ.com', 'domain xn--bcher-kva.example.de', 'domain evil.com'],
  ['http://good.example.com/?u=http://evil.com/', 'url http://good.example.com/?u=http://evil.com/'],
  [
    'invoice[.]zip, hxxp://photos.mov/ and www.onet.pl',
    'domain invoice.zip',
    'url http://photos.mov/',
    'domain www.onet.pl',
  ],
  ['gov.com.py has portal.gov.rs', 'domain gov.com.py', 'domain portal.gov.rs'],
];

describe.each([
  ['logs of servers and firewalls', SERVER_LOGS],
  ['tables and lists', TABLES],
  ['JSON, YAML and code', JSON_LINES],
  ['mail', MAIL],
  ['reports', REPORTS],
])('indicators are found in %s', (_name, lines) => {
  test.each(lines)('%j', (line, ...expected) => {
    expect(values(line)).toEqual(expected);
  });
});

test.each([
  'report.pdf main.go index.html wp-login.php a.out libssl.so.1.1 archive.tar.gz',
  'at 10:15:32.123 on 15.11.2026, 2026-11-15T10:15:32Z, 1731640447.123456',
  'Version 1.2.3, v1.2.3.4, version 10.0.0.1, build 120.0.6099.109, Python/3.11.4',
  'OID 1.3.6.1.4.1.311.2.1 and 1.3.6.1.4',
  '00:16:3e:aa:bb:cc, 00:16:3e:aa:bb:cc:00:16, AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD',
  'e.g. this, i.e. that, etc.It was, the end.So on, U.S. and a.m.',
  'System.Net.Http, Microsoft.NET, console.info("x"), logging.info(x), foo.run()',
  'com.example.app, org.apache.live, java.util.zip, androidx.core.app',
  'kern.info auth.info *.emerg -/var/log/mail.info',
  '/usr/lib/python3/setup.py ./run.sh C:\\tools\\a.pl src/lib.rs',
  '4.3.2.1.in-addr.arpa PTR, svc.cluster.local, host.lan, printer.home',
  'std::string, Foo::Bar, ::, a :: b, ::before',
  'user@localhost, root@server, @someone, 50% off, $HOME',
  '550e8400-e29b-41d4-a716-446655440000 {3F2504E0-4F89-11D3-9A0C-0305E82C3301}',
  `0x${'ab'.repeat(100)} ${'1'.repeat(32)} deadbeef`,
  'The quick brown fox. Nothing to see here! Really? (No.)',
])('no indicator is found and none is refused in: %j', (line) => {
  expect(extractIndicators(line)).toEqual({ found: [], rejected: [] });
});

describe('text that was meant as an indicator and cannot be read is refused with its reason', () => {
  test.each([
    ['seen at 999.1.2.3 today', '999.1.2.3', REJECTIONS.ipv4Range],
    ['seen at 010.1.2.3 today', '010.1.2.3', REJECTIONS.ipv4Ambiguous],
    ['10.0.0.0/33', '10.0.0.0/33', REJECTIONS.prefix],
    ['2001:db8::1::2', '2001:db8::1::2', REJECTIONS.ipv6],
    ['2001:db8:0:0:0:0:0:1:2', '2001:db8:0:0:0:0:0:1:2', REJECTIONS.ipv6],
    ['a'.repeat(31), 'a'.repeat(31), REJECTIONS.otherHash],
    [`${SHA256}0`, `${SHA256}0`, REJECTIONS.otherHash],
    ['c'.repeat(128), 'c'.repeat(128), REJECTIONS.sha512],
    ['evil[.]notatld', 'evil[.]notatld', REJECTIONS.unknownSuffix],
    ['http://intranet/x', 'http://intranet/x', REJECTIONS.singleLabel],
    ['hxxp://', 'hxxp://', REJECTIONS.brokenUrl],
    [`http://evil.com/${'a'.repeat(3_000)}`, `http://evil.com/${'a'.repeat(2_033)}`, REJECTIONS.tooLong],
    ['printer.local', 'printer.local', REJECTIONS.reservedName],
    ['open setup.py and invoice.zip', 'setup.py', REJECTIONS.fileName],
  ])('%j', (line, raw, reason) => {
    const { found, rejected } = extractIndicators(line);
    expect(found).toEqual([]);
    expect(rejected[0]).toEqual({ raw, reason, count: 1 });
  });
});

test('a value is found once, in the spelling of its first occurrence, and counted in every spelling', () => {
  const { found } = extractIndicators('evil[.]com evil.com, EVIL.COM. and 1.1.1.1 evil.com:443');
  expect(found).toMatchObject([
    { raw: 'evil[.]com', count: 4, indicator: { value: 'evil.com' } },
    { raw: '1.1.1.1', count: 1 },
  ]);
  expect(extractIndicators('999.1.1.1 999.1.1.1').rejected).toMatchObject([{ count: 2 }]);
});

test('private and reserved addresses are found and marked, others are not', () => {
  const { found } = extractIndicators('192.168.1.1 10.0.0.0/8 fe80::1 8.8.8.8 evil.com');
  expect(found.map(({ special }) => special?.name ?? null)).toEqual([
    'Private use',
    'Private use',
    'Link local unicast',
    null,
    null,
  ]);
});

describe('any text', () => {
  const SCRAPS = [
    'evil.com',
    '45.9.148.3',
    'hxxp://evil[.]com/a',
    '2001:db8::1',
    MD5,
    'a@b.com',
    'setup.py',
    '10.0.0.0/8',
  ];
  const EDGES = [
    ' ',
    ',',
    ';',
    '"',
    "'",
    '(',
    ')',
    '[',
    ']',
    '<',
    '>',
    '=',
    '\n',
    '\t',
    '.',
    ':',
    '/',
    '\\',
    '|',
    '。',
    'é',
  ];
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...SCRAPS, ...EDGES), { maxLength: 30 }).map((parts) => parts.join('')),
  );

  test('a found indicator occurs in the text as reported, and parseIndicator reads that text the same way', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { found, rejected } = extractIndicators(text);
        for (const { raw, indicator } of found) {
          expect(text).toContain(raw);
          expect(parseIndicator(raw)).toEqual({ ok: true, indicator });
        }
        for (const { raw, reason } of rejected) {
          expect(text).toContain(raw);
          expect(Object.values(REJECTIONS)).toContain(reason);
        }
      }),
      { numRuns: bySize(400, 2_000) },
    );
  });

  test('every line of a list is found, in order, with any line separator', () => {
    const line = fc.constantFrom('evil.com', '45.9.148.3', 'http://evil.com/a', '2001:db8::1', MD5, SHA256);
    const between = fc.constantFrom('\n', '\r\n', ' ', '\t', ', ', '; ', '" "', '|');
    fc.assert(
      fc.property(fc.uniqueArray(line), between, (lines, gap) => {
        expect(extractIndicators(lines.join(gap)).found.map(({ raw }) => raw)).toEqual(lines);
      }),
    );
  });
});

test('an empty text holds nothing', () => {
  expect(extractIndicators('')).toEqual({ found: [], rejected: [] });
});
