import type { ServiceData } from './named-service.ts';

const kind = 'resolver';

/** Open resolvers that one operator runs for everyone. Lists of all open resolvers hold home routers and never vouch. */
export const RESOLVERS: readonly ServiceData[] = [
  {
    name: 'Google Public DNS',
    operator: 'Google',
    kind,
    source: 'https://developers.google.com/speed/public-dns/docs/using',
    values: `8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 2001:4860:4860::64 2001:4860:4860::6464
      dns.google dns64.dns.google dns.google.com`,
  },
  {
    name: 'Cloudflare 1.1.1.1',
    operator: 'Cloudflare',
    kind,
    source: 'https://developers.cloudflare.com/1.1.1.1/ip-addresses/',
    values: `1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3 2606:4700:4700::1111 2606:4700:4700::1001
      2606:4700:4700::1112 2606:4700:4700::1002 2606:4700:4700::1113 2606:4700:4700::1003 2606:4700:4700::64
      2606:4700:4700::6400 one.one.one.one cloudflare-dns.com security.cloudflare-dns.com family.cloudflare-dns.com
      mozilla.cloudflare-dns.com chrome.cloudflare-dns.com 1dot1dot1dot1.cloudflare-dns.com`,
  },
  {
    name: 'Quad9',
    operator: 'Quad9 Foundation',
    kind,
    source: 'https://quad9.net/service/service-addresses-and-features/',
    values: `9.9.9.9 149.112.112.112 9.9.9.10 149.112.112.10 9.9.9.11 149.112.112.11 2620:fe::fe 2620:fe::9 2620:fe::10
      2620:fe::fe:10 2620:fe::11 2620:fe::fe:11 dns.quad9.net dns9.quad9.net dns10.quad9.net dns11.quad9.net`,
  },
  {
    name: 'OpenDNS',
    operator: 'Cisco',
    kind,
    source: 'https://www.opendns.com/setupguide/',
    values: `208.67.222.222 208.67.220.220 208.67.222.220 208.67.220.222 208.67.222.123 208.67.220.123 2620:119:35::35
      2620:119:53::53 2620:119:35::123 2620:119:53::123 dns.opendns.com doh.opendns.com
      doh.familyshield.opendns.com resolver1.opendns.com resolver2.opendns.com`,
  },
  {
    name: 'AdGuard DNS',
    operator: 'AdGuard',
    kind,
    source: 'https://adguard-dns.io/en/public-dns.html',
    values: `94.140.14.14 94.140.15.15 94.140.14.15 94.140.15.16 94.140.14.140 94.140.14.141 2a10:50c0::ad1:ff
      2a10:50c0::ad2:ff 2a10:50c0::bad1:ff 2a10:50c0::bad2:ff 2a10:50c0::1:ff 2a10:50c0::2:ff dns.adguard-dns.com
      family.adguard-dns.com unfiltered.adguard-dns.com`,
  },
  {
    name: 'CleanBrowsing',
    operator: 'CleanBrowsing',
    kind,
    source: 'https://cleanbrowsing.org/filters/',
    values: `185.228.168.9 185.228.169.9 185.228.168.168 185.228.169.168 185.228.168.10 185.228.169.11
      doh.cleanbrowsing.org`,
  },
  {
    name: 'Yandex DNS',
    operator: 'Yandex',
    kind,
    source: 'https://dns.yandex.com/',
    values: `77.88.8.8 77.88.8.1 77.88.8.88 77.88.8.2 77.88.8.7 77.88.8.3 2a02:6b8::feed:ff 2a02:6b8:0:1::feed:ff
      common.dot.dns.yandex.net`,
  },
  {
    name: 'AliDNS',
    operator: 'Alibaba',
    kind,
    source: 'https://www.alidns.com/',
    values: '223.5.5.5 223.6.6.6 2400:3200::1 2400:3200:baba::1 dns.alidns.com',
  },
  {
    name: 'DNSPod Public DNS',
    operator: 'Tencent',
    kind,
    source: 'https://www.dnspod.cn/products/publicdns',
    values: '119.29.29.29 doh.pub dot.pub',
  },
  {
    name: '114DNS',
    operator: '114DNS',
    kind,
    source: 'https://www.114dns.com/',
    values: '114.114.114.114 114.114.115.115',
  },
  {
    name: 'Quad101',
    operator: 'TWNIC',
    kind,
    source: 'https://101.101.101.101/index_en.html',
    values: '101.101.101.101 101.102.103.104 dns.twnic.tw',
  },
  {
    name: 'UltraDNS Public',
    operator: 'Vercara',
    kind,
    source: 'https://vercara.digicert.com/ultradns-public',
    values: '64.6.64.6 64.6.65.6 156.154.70.1 156.154.71.1',
  },
  {
    name: 'Hurricane Electric public resolver',
    operator: 'Hurricane Electric',
    kind,
    source: 'https://dns.he.net/',
    values: '74.82.42.42 2001:470:20::2 ordns.he.net',
  },
  {
    name: 'Comodo Secure DNS',
    operator: 'Comodo',
    kind,
    source: 'https://www.comodo.com/secure-dns/',
    values: '8.26.56.26 8.20.247.20',
  },
];
