import { describe, expect, test } from 'vitest';
import { addressOfRpz } from './rpz-address.ts';
import { readText, saidOf, TEXT_FORMATS } from './text-formats.fixture.ts';

const HEAD = '$TTL 30\n@ IN SOA localhost. root.localhost. 2026082201 86400 3600 604800 30\n NS localhost.\n';

describe('a response policy zone', () => {
  test.each([
    ['evil.com CNAME .', ['evil.com']],
    ['*.evil.com 300 IN CNAME *.', ['evil.com']],
    ['evil.com. IN A 0.0.0.0 ; why', ['evil.com']],
    ['evil.com CNAME rpz-drop.\n TXT "reason; text"', ['evil.com', 'evil.com']],
    ['good.com CNAME rpz-passthru.', ['- exception']],
    ['32.4.3.2.1.rpz-ip CNAME .', ['1.2.3.4']],
    ['24.0.2.0.192.rpz-ip CNAME .', ['192.0.2.0/24']],
    ['128.1.zz.db8.2001.rpz-ip CNAME .', ['2001:db8::1']],
    ['999.evil.rpz-ip CNAME .', ['! rpzAddress']],
    ['ns.evil.com.rpz-nsdname CNAME .', ['- nameServer']],
    ['32.4.3.2.1.rpz-nsip CNAME .', ['- nameServer']],
    ['32.4.3.2.1.rpz-client-ip CNAME .', ['- client']],
    ['localhost CNAME .', ['- localName']],
    ['$INCLUDE other', ['- directive']],
    ['; evil.com CNAME .', []],
    ['evil.com', ['! noStatement']],
  ])('%j: %j', (line, said) => {
    expect(saidOf(TEXT_FORMATS.rpz, HEAD + line)).toEqual(said);
  });

  test.each([
    ['$ORIGIN rpz.example.\nevil.com CNAME .\nevil.org.rpz.example. CNAME .', ['evil.com', 'evil.org']],
    ['$ORIGIN rpz.example.\n$ORIGIN com.rpz.example.\nevil CNAME .', ['evil.com']],
    ['$ORIGIN rpz.example.\n@ CNAME .', ['- directive']],
    ['rpz.example. SOA a. b. 1 2 3 4 5\n32.4.3.2.1.rpz-ip.rpz.example. CNAME .', ['1.2.3.4']],
    ['@ SOA a. b. (\n 2026082201 ; serial\n 2 3 4 5 )\nevil.com CNAME .', ['evil.com']],
  ])('with a name of its own, %j: %j', (text, said) => {
    expect(saidOf(TEXT_FORMATS.rpz, text)).toEqual(said);
  });

  test.each(['@ SOA a. b. 2026082201 2 3 4 5', '@ SOA a. b. (\n 2026082201 ; serial\n 2 3 4 5 )'])(
    'is dated by its serial: %j',
    (text) => {
      expect(readText(TEXT_FORMATS.rpz, [text]).dates).toEqual([Date.UTC(2026, 7, 22)]);
    },
  );

  test.each([
    ['48.zz.2.2001', '2001:2::/48'],
    ['64.zz.1', '1::/64'],
    ['128.1.zz', '::1'],
    ['128.8.7.6.5.4.3.2.1', '1:2:3:4:5:6:7:8'],
    ['128.zz', '::'],
    ['128.1.zz.2.zz.3', null],
    ['128.1.2.3', null],
    ['x.4.3.2.1', null],
    ['', null],
  ])('writes %s for %s', (encoded, address) => {
    expect(addressOfRpz(encoded)).toBe(address);
  });
});

test.each([
  ['zone "evil.com" { type master; notify no; file "null.zone.file"; };', ['evil.com']],
  [
    'zone "evil.com" IN {\n  type master;\n  file "x;}"; // };\n};\nzone evil.org {};',
    ['evil.com', 'evil.org'],
  ],
  ['/* zone "good.com" {};\n*/ zone "evil.com" { };', ['evil.com']],
  ['# comment\n// comment', []],
  ['zone "." { type hint; };', ['- directive']],
  ['zone "localhost" { };', ['- localName']],
  ['options { directory "/var"; };', ['- directive']],
  ['include "x";', ['- directive']],
  ['zone "" { };', ['! noStatement']],
  ['zone "evil.com"', ['evil.com']],
  ['1.2.3.4;', ['! noStatement']],
])('a named.conf %j: %j', (text, said) => {
  expect(saidOf(TEXT_FORMATS.bind, text)).toEqual(said);
});

const rule = (options: string, header = 'alert tls $HOME_NET any -> $EXTERNAL_NET any') =>
  `${header} (msg:"a (b); c"; ${options} sid:1;)`;

describe('a Suricata rule', () => {
  test.each([
    [rule('tls.sni; bsize:8; content:"evil.com"; fast_pattern;'), ['evil.com']],
    [rule('dns.query; content:"evil|2e|com"; nocase;'), ['evil.com']],
    [rule('dns_query; content:".evil.com"; endswith;'), ['evil.com']],
    [rule('content:"evil.com"; http_host;'), ['evil.com']],
    [rule('http.host; content:"evil.com"; http.uri; content:"/a.exe";'), ['http://evil.com/a.exe']],
    [rule('content:"|04|evil|03|com|00|";', 'alert udp any any -> any 53'), ['evil.com']],
    [rule('', 'drop ip [1.2.3.4, 5.6.7.0/24,!9.9.9.9] any -> $HOME_NET any'), ['1.2.3.4', '5.6.7.0/24']],
    [rule('', 'alert ip ![1.2.3.4] any <> 2001:db8::1 any'), ['2001:db8::1']],
    ['alert tls any any -> any any \\\n (tls.sni; content:"evil.com";)', ['evil.com']],
    [rule('http.host; content:"evil.com"; http.user_agent; content:"bot";'), ['- otherContent']],
    [rule('http.host; content:"evil.com"; pcre:"/x/";'), ['- otherContent']],
    [rule('tls.sni; content:"evil";'), ['- noName']],
    [rule('content:!"evil.com"; http_host;'), ['- noName']],
    [rule('ja3.hash; content:"abc";'), ['- noName']],
    [rule('tls.sni; content:"good.com";', 'pass tls any any -> any any'), ['- exception']],
    ['var HOME_NET any', ['- directive']],
    ['# alert tls any any -> any any (tls.sni; content:"evil.com";)', []],
    ['evil.com', ['! noRule']],
  ])('%s: %j', (text, said) => {
    expect(saidOf(TEXT_FORMATS.suricata, text)).toEqual(said);
  });

  test('brings its reference and family', () => {
    const text = rule(
      'tls.sni; content:"evil.com"; reference:url,a.com/b; metadata:x y, malware_family Foo, z 1;',
    );
    expect(readText(TEXT_FORMATS.suricata, [text]).entries).toEqual([
      { text: 'evil.com', reference: 'a.com/b', family: 'Foo' },
    ]);
  });
});
