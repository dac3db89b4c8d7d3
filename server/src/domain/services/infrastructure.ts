import type { ServiceData } from './named-service.ts';

const ROOT = 'https://www.iana.org/domains/root/servers';

const root = (letter: string, operator: string, addresses: string): ServiceData => ({
  name: `Root server ${letter}`,
  operator,
  kind: 'name-server',
  source: ROOT,
  values: `${letter}.root-servers.net ${addresses}`,
});

/** Name and time servers on which everyone depends. */
export const NAME_AND_TIME_SERVERS: readonly ServiceData[] = [
  root('a', 'Verisign', '198.41.0.4 2001:503:ba3e::2:30'),
  root('b', 'Information Sciences Institute', '170.247.170.2 2801:1b8:10::b'),
  root('c', 'Cogent', '192.33.4.12 2001:500:2::c'),
  root('d', 'University of Maryland', '199.7.91.13 2001:500:2d::d'),
  root('e', 'NASA', '192.203.230.10 2001:500:a8::e'),
  root('f', 'Internet Systems Consortium', '192.5.5.241 2001:500:2f::f'),
  root('g', 'US Department of Defense', '192.112.36.4 2001:500:12::d0d'),
  root('h', 'US Army Research Lab', '198.97.190.53 2001:500:1::53'),
  root('i', 'Netnod', '192.36.148.17 2001:7fe::53'),
  root('j', 'Verisign', '192.58.128.30 2001:503:c27::2:30'),
  root('k', 'RIPE NCC', '193.0.14.129 2001:7fd::1'),
  root('l', 'ICANN', '199.7.83.42 2001:500:9f::42'),
  root('m', 'WIDE Project', '202.12.27.33 2001:dc3::35'),
  {
    name: 'Name servers of .com and .net',
    operator: 'Verisign',
    kind: 'name-server',
    source: 'https://www.iana.org/domains/root/db/com.html',
    values: `.gtld-servers.net 192.5.6.30 192.33.14.30 192.26.92.30 192.31.80.30 192.12.94.30 192.35.51.30 192.42.93.30
      192.54.112.30 192.43.172.30 192.48.79.30 192.52.178.30 192.41.162.30 192.55.83.30`,
  },
  {
    name: 'Google Public NTP',
    operator: 'Google',
    kind: 'time',
    source: 'https://developers.google.com/time/',
    values: `time.google.com time1.google.com time2.google.com time3.google.com time4.google.com 216.239.35.0 216.239.35.4
      216.239.35.8 216.239.35.12 2001:4860:4806:: 2001:4860:4806:4:: 2001:4860:4806:8:: 2001:4860:4806:c::`,
  },
  {
    name: 'Cloudflare Time Services',
    operator: 'Cloudflare',
    kind: 'time',
    source: 'https://developers.cloudflare.com/time-services/ntp/usage/',
    values: 'time.cloudflare.com 162.159.200.1 162.159.200.123 2606:4700:f1::1 2606:4700:f1::123',
  },
  {
    name: 'Windows time server',
    operator: 'Microsoft',
    kind: 'time',
    source:
      'https://learn.microsoft.com/windows-server/networking/windows-time-service/how-the-windows-time-service-works',
    values: 'time.windows.com',
  },
  {
    name: 'Apple time server',
    operator: 'Apple',
    kind: 'time',
    source: 'https://support.apple.com/101555',
    values: 'time.apple.com time-ios.apple.com time-macos.apple.com',
  },
  {
    name: 'NIST Internet Time Service',
    operator: 'NIST',
    kind: 'time',
    source: 'https://tf.nist.gov/tf-cgi/servers.cgi',
    values: `time.nist.gov 129.6.15.28 129.6.15.29 129.6.15.30 132.163.96.1 132.163.96.2 132.163.96.3 132.163.97.1
      132.163.97.2 132.163.97.3`,
  },
  {
    // The pool's own name and zones. The servers behind it belong to volunteers and are judged by their addresses.
    name: 'NTP Pool',
    operator: 'NTP Pool Project',
    kind: 'time',
    source: 'https://www.ntppool.org/en/use.html',
    values: '.pool.ntp.org',
  },
  {
    name: 'Ubuntu time server',
    operator: 'Canonical',
    kind: 'time',
    source: 'https://documentation.ubuntu.com/server/how-to/networking/timedatectl-and-timesyncd/',
    values: 'ntp.ubuntu.com',
  },
];
