import type { OfflineFile } from '../catalogue-row.ts';
import { leftOut, part, variant } from './offline-file.ts';

const PLAIN = { format: { kind: 'plain' } } as const;
const MALTRAIL = 'feeds/maltrail/maltrail-static-trails.tar.gz';
const IP_RANGES = 'feeds/ipranges';
const CLOUD = 'feeds/cloud-ranges';

/** One archive holds four sources of different threat classes, one in each folder, so it is listed four times. */
export const MALTRAIL_FILES: readonly OfflineFile[] = [
  part(MALTRAIL, 'maltrail-malware', { format: { kind: 'maltrail', folder: 'malware' } }),
  part(MALTRAIL, 'maltrail-malicious', { format: { kind: 'maltrail', folder: 'malicious' } }),
  part(MALTRAIL, 'maltrail-suspicious', { format: { kind: 'maltrail', folder: 'suspicious' } }),
  part(MALTRAIL, 'maltrail-mass-scanner', { format: { kind: 'maltrail', folder: 'mass_scanner' } }),
];

export const CONTEXT_FILES: readonly OfflineFile[] = [
  part('feeds/firehol/et_tor.ipset', 'et-tor', PLAIN),
  part('feeds/firehol/tor_exits_30d.ipset', 'tor-exits', PLAIN),
  part('feeds/firehol/socks_proxy_7d.ipset', 'socks-proxies'),
  part('feeds/firehol/sslproxies_7d.ipset', 'ssl-proxies'),
  part('feeds/firehol/yoyo_adservers.ipset', 'yoyo-addresses'),
  part('feeds/c2intelfeeds/unverified__DomainRMM.csv.gz', 'c2intelfeeds-rmm'),
  part('feeds/c2intelfeeds/unverified__IPKVM.csv', 'c2intelfeeds-kvm'),
  part('feeds/c2intelfeeds/vpn__NordVPNIPs.csv.gz', 'nordvpn'),
  part('feeds/c2intelfeeds/vpn__CyberGhostVPNIPs.csv', 'cyberghost'),

  part('feeds/shadowwhisperer/Ads.txt.gz', 'sw-ads'),
  part('feeds/shadowwhisperer/Wild_Ads.txt.gz', 'sw-wild-ads'),
  part('feeds/shadowwhisperer/Gambling.txt', 'sw-gambling'),
  part('feeds/shadowwhisperer/UrlShortener.txt', 'sw-url-shortener'),
  part('feeds/shadowwhisperer/Risk.txt', 'sw-risk'),
  part('feeds/shadowwhisperer/Dynamic.txt', 'sw-dynamic'),
  part('feeds/shadowwhisperer/Remote.txt', 'sw-remote'),
  part('feeds/blocklistproject/crypto.txt', 'blp-crypto'),
  part('feeds/blocklistproject/redirect-ags.txt.gz', 'blp-redirect'),
  part('feeds/blocklistproject/drugs-dnsmasq.txt.gz', 'blp-drugs'),
  part('feeds/ut1/vpn__domains', 'ut1-vpn'),
  part('feeds/ut1/doh__domains', 'ut1-doh'),
  part('feeds/ut1/shortener__domains', 'ut1-shortener'),
  part('feeds/ut1/dynamic-dns__domains', 'ut1-dynamic-dns'),
  part('feeds/ut1/residential-proxies__domains', 'ut1-residential-proxies'),
  part('feeds/ut1/remote-control__domains', 'ut1-remote-control'),

  part('feeds/x4bnet/vpn-ipv4.txt', 'x4bnet-vpn'),
  part('feeds/x4bnet/vpn-ipv6.txt', 'x4bnet-vpn'),
  part('feeds/x4bnet/datacenter-ipv4.txt.gz', 'x4bnet-datacenter'),
  part('feeds/x4bnet/datacenter-ipv6.txt', 'x4bnet-datacenter'),
  part('feeds/x4bnet/datacenter-ASN.txt', 'x4bnet-datacenter-asn'),
  part('feeds/tor-nodes/latest.exits.csv.gz', 'tor-nodes-exits'),
  part('feeds/tor-nodes/latest.all.csv.gz', 'tor-nodes-all'),
  part('feeds/doh/doh-ipv4.txt', 'doh-dibdot'),
  part('feeds/doh/doh-ipv6.txt', 'doh-dibdot'),
  part('feeds/doh/doh-domains.txt', 'doh-dibdot'),
  variant('feeds/doh/doh-ipv4.json', 'doh-dibdot', { format: { kind: 'json', each: ['[*]'] } }),
  part('feeds/url-shorteners/list.txt', 'url-shorteners'),
  part('feeds/bad-asn-list/bad-asn-list.csv', 'bad-asn-list'),

  part('feeds/stevenblack/hosts.txt.gz', 'stevenblack'),
  part('feeds/disposable-email/disposable_email_blocklist.conf', 'disposable-email-domains'),
  part('feeds/disposable/domains.txt.gz', 'disposable'),
  variant('feeds/disposable/domains_mx.json.gz', 'disposable', {
    format: { kind: 'json', each: ['[*]'] },
    note: 'The names of the list that accept mail.',
  }),
  part('feeds/free-email/free-email-domains.json.gz', 'free-email'),
];

/**
 * The same networks occur twice: `ipranges` is of August 2026 and plain text, `cloud-ranges` is of July 2025 in the
 * providers' own formats. The newer copy is the part and the older one a variant, so that every native format is tested
 * and a range that was returned a year ago does not label its new owner. Where only the older copy exists, it is the
 * part.
 */
export const NETWORK_FILES: readonly OfflineFile[] = [
  part(`${IP_RANGES}/amazon-ipv4_merged.txt`, 'aws', PLAIN),
  part(`${IP_RANGES}/amazon-ipv6_merged.txt`, 'aws', PLAIN),
  variant(`${CLOUD}/aws-ip-ranges.json.gz`, 'aws'),
  part(`${CLOUD}/google-cloud-ip-ranges.json`, 'gcp'),
  part(`${IP_RANGES}/google-ipv4.txt`, 'google', PLAIN),
  part(`${IP_RANGES}/google-ipv6.txt`, 'google', PLAIN),
  part(`${IP_RANGES}/microsoft-ipv4_merged.txt`, 'azure'),
  part(`${IP_RANGES}/microsoft-ipv6_merged.txt`, 'azure'),
  part(`${IP_RANGES}/oracle-ipv4.txt`, 'oracle-cloud', PLAIN),
  variant(`${CLOUD}/oracle-cloud-ip-ranges.json`, 'oracle-cloud'),
  part(`${IP_RANGES}/digitalocean-ipv4.txt`, 'digitalocean', PLAIN),
  part(`${IP_RANGES}/digitalocean-ipv6.txt`, 'digitalocean', PLAIN),
  variant(`${CLOUD}/digitalocean.csv`, 'digitalocean'),
  part(`${IP_RANGES}/linode-ipv4_merged.txt`, 'linode', PLAIN),
  part(`${IP_RANGES}/linode-ipv6_merged.txt`, 'linode', PLAIN),
  variant(`${CLOUD}/linode.txt`, 'linode'),
  part(`${IP_RANGES}/vultr-ipv4.txt`, 'vultr'),
  part(`${IP_RANGES}/vultr-ipv6.txt`, 'vultr'),
  part(`${IP_RANGES}/cloudflare-ipv4.txt`, 'cloudflare'),
  part(`${IP_RANGES}/cloudflare-ipv6.txt`, 'cloudflare'),
  variant(`${CLOUD}/cloudflare-v4-ip-ranges.txt`, 'cloudflare'),
  variant(`${CLOUD}/cloudflare-v6-ip-ranges.txt`, 'cloudflare'),
  part(`${CLOUD}/fastly-ip-ranges.json`, 'fastly'),
  part(`${CLOUD}/akamai-v4-ip-ranges.txt`, 'akamai'),
  part(`${CLOUD}/zscaler-cloud-ip-ranges.json`, 'zscaler'),
  part(`${CLOUD}/github-ip-ranges.json`, 'github'),
  leftOut(`${IP_RANGES}/github-ipv4_merged.txt`, 'Merged with the ranges of Actions, which are Azure.'),
  leftOut(`${IP_RANGES}/github-ipv6_merged.txt`, 'Merged with the ranges of Actions, which are Azure.'),
  part(`${IP_RANGES}/apple-proxy-ipv4_merged.txt`, 'icloud-private-relay', PLAIN),
  part(`${IP_RANGES}/apple-proxy-ipv6_merged.txt.gz`, 'icloud-private-relay', PLAIN),
  part(`${IP_RANGES}/telegram-ipv4.txt`, 'telegram'),
  part(`${IP_RANGES}/telegram-ipv6.txt`, 'telegram'),
  part(`${IP_RANGES}/pingdom-ipv4.txt`, 'pingdom'),
  part(`${IP_RANGES}/pingdom-ipv6.txt`, 'pingdom'),
  part(`${IP_RANGES}/statuscake-ipv4.txt`, 'statuscake'),
  part(`${IP_RANGES}/protonvpn-ipv4.txt`, 'protonvpn'),
  part(`${IP_RANGES}/googlebot-ipv4.txt`, 'googlebot', PLAIN),
  part(`${IP_RANGES}/googlebot-ipv6.txt`, 'googlebot', PLAIN),
  part(`${IP_RANGES}/bing-ipv4.txt`, 'bingbot', PLAIN),
  part(`${IP_RANGES}/openai-ipv4.txt`, 'gptbot', PLAIN),
  part(`${IP_RANGES}/duckassistbot-ipv4.txt`, 'duckassistbot'),
  part(`${IP_RANGES}/duckduckbot-ipv4.txt`, 'duckduckbot'),
  part(`${IP_RANGES}/facebook-ipv4.txt`, 'facebook'),
  part(`${IP_RANGES}/facebook-ipv6.txt`, 'facebook'),
  part(`${IP_RANGES}/perplexity-ipv4.txt`, 'perplexity'),
  part(`${IP_RANGES}/twitter-ipv4.txt`, 'twitter'),
  part(`${IP_RANGES}/twitter-ipv6.txt`, 'twitter'),
];
