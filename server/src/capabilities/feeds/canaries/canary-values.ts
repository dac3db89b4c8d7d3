/**
 * Values that everyone depends on and that no list may call a threat: resolvers, root and time servers, update and
 * certificate hosts, package registries, the digest of the empty file. A list that holds one of them was built without
 * care or tampered with. The set is small and certain on purpose: hosts where strangers publish (bit.ly,
 * raw.githubusercontent.com, sites.google.com) are sometimes rightly listed, so their popularity attenuates them and
 * they are not canaries.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const PUBLIC_RESOLVERS = words(`
  8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 2001:4860:4860::64 2001:4860:4860::6464
  1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3
  2606:4700:4700::1111 2606:4700:4700::1001 2606:4700:4700::1112 2606:4700:4700::1002
  2606:4700:4700::1113 2606:4700:4700::1003 2606:4700:4700::64 2606:4700:4700::6400
  9.9.9.9 149.112.112.112 9.9.9.10 149.112.112.10 9.9.9.11 149.112.112.11
  2620:fe::fe 2620:fe::9 2620:fe::10 2620:fe::fe:10 2620:fe::11 2620:fe::fe:11
  208.67.222.222 208.67.220.220 208.67.222.220 208.67.220.222 208.67.222.123 208.67.220.123
  2620:119:35::35 2620:119:53::53 2620:119:35::123 2620:119:53::123
  94.140.14.14 94.140.15.15 94.140.14.15 94.140.15.16 94.140.14.140 94.140.14.141
  2a10:50c0::ad1:ff 2a10:50c0::ad2:ff 2a10:50c0::bad1:ff 2a10:50c0::bad2:ff
  4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6 64.6.64.6 64.6.65.6 74.82.42.42 2001:470:20::2
  185.228.168.9 185.228.169.9 185.228.168.168 185.228.169.168 185.228.168.10 185.228.169.11
  84.200.69.80 84.200.70.40 223.5.5.5 223.6.6.6 2400:3200::1 2400:3200:baba::1 119.29.29.29 114.114.114.114
  114.114.115.115 77.88.8.8 77.88.8.1 77.88.8.88 77.88.8.2 77.88.8.7 77.88.8.3 2a02:6b8::feed:ff 2a02:6b8:0:1::feed:ff
  8.26.56.26 8.20.247.20 156.154.70.1 156.154.71.1 101.101.101.101 101.102.103.104`);

/** Root servers a to m, then the name servers of com and net. */
const NAME_SERVERS = words(`
  198.41.0.4 2001:503:ba3e::2:30 170.247.170.2 2801:1b8:10::b 192.33.4.12 2001:500:2::c 199.7.91.13 2001:500:2d::d
  192.203.230.10 2001:500:a8::e 192.5.5.241 2001:500:2f::f 192.112.36.4 2001:500:12::d0d 198.97.190.53 2001:500:1::53
  192.36.148.17 2001:7fe::53 192.58.128.30 2001:503:c27::2:30 193.0.14.129 2001:7fd::1 199.7.83.42 2001:500:9f::42
  202.12.27.33 2001:dc3::35
  192.5.6.30 192.33.14.30 192.26.92.30 192.31.80.30 192.12.94.30 192.35.51.30 192.42.93.30 192.54.112.30
  192.43.172.30 192.48.79.30 192.52.178.30 192.41.162.30 192.55.83.30`);

const TIME_SERVERS = words(`
  216.239.35.0 216.239.35.4 216.239.35.8 216.239.35.12 2001:4860:4806:: 2001:4860:4806:4:: 2001:4860:4806:8::
  2001:4860:4806:c:: 162.159.200.1 162.159.200.123 2606:4700:f1::1 2606:4700:f1::123
  129.6.15.28 129.6.15.29 129.6.15.30 132.163.96.1 132.163.96.2 132.163.96.3 132.163.97.1 132.163.97.2 132.163.97.3`);

const NAMES_OF_THE_NET = words(`
  dns.google dns.google.com one.one.one.one cloudflare-dns.com dns.quad9.net dns.opendns.com
  a.root-servers.net b.root-servers.net c.root-servers.net d.root-servers.net e.root-servers.net f.root-servers.net
  g.root-servers.net h.root-servers.net i.root-servers.net j.root-servers.net k.root-servers.net l.root-servers.net
  m.root-servers.net root-servers.net iana.org www.iana.org icann.org www.icann.org internic.net www.internic.net
  ietf.org www.ietf.org rfc-editor.org www.rfc-editor.org w3.org www.w3.org arin.net ripe.net apnic.net lacnic.net
  afrinic.net time.google.com time.cloudflare.com time.nist.gov time.windows.com time.apple.com ntp.org
  pool.ntp.org 0.pool.ntp.org 1.pool.ntp.org 2.pool.ntp.org 3.pool.ntp.org ntp.ubuntu.com`);

/** Update hosts of systems, browsers and virus scanners; blocking one does harm at once. */
const UPDATE_HOSTS = words(`
  windowsupdate.com www.windowsupdate.com download.windowsupdate.com www.download.windowsupdate.com
  au.download.windowsupdate.com ctldl.windowsupdate.com
  update.microsoft.com www.update.microsoft.com windowsupdate.microsoft.com fe2.update.microsoft.com
  sls.update.microsoft.com fe3.delivery.mp.microsoft.com dl.delivery.mp.microsoft.com
  tlu.dl.delivery.mp.microsoft.com definitionupdates.microsoft.com go.microsoft.com download.microsoft.com
  officecdn.microsoft.com login.microsoftonline.com login.microsoft.com login.live.com graph.microsoft.com
  swcdn.apple.com swscan.apple.com swdist.apple.com mesu.apple.com gdmf.apple.com updates.cdn-apple.com
  gs.apple.com albert.apple.com captive.apple.com appleid.apple.com
  tools.google.com update.googleapis.com clients2.google.com dl.google.com safebrowsing.googleapis.com
  connectivitycheck.gstatic.com accounts.google.com
  aus5.mozilla.org download.mozilla.org addons.mozilla.org detectportal.firefox.com versioncheck.addons.mozilla.org
  database.clamav.net current.cvd.clamav.net liveupdate.symantecliveupdate.com
  archive.ubuntu.com security.ubuntu.com deb.debian.org security.debian.org ftp.debian.org
  mirrors.fedoraproject.org dl-cdn.alpinelinux.org geo.mirror.pkgbuild.com mirrorlist.centos.org cdn.redhat.com
  download.opensuse.org kernel.org www.kernel.org cdn.kernel.org`);

const CERTIFICATE_HOSTS = words(`
  ocsp.digicert.com crl3.digicert.com crl4.digicert.com cacerts.digicert.com ocsp.sectigo.com crl.sectigo.com
  crt.sectigo.com ocsp.comodoca.com crl.comodoca.com ocsp.usertrust.com crl.usertrust.com ocsp.globalsign.com
  ocsp2.globalsign.com crl.globalsign.com secure.globalsign.com ocsp.entrust.net crl.entrust.net ocsp.godaddy.com
  crl.godaddy.com ocsp.verisign.com crl.verisign.com ocsp.thawte.com ocsp.pki.goog crl.pki.goog pki.goog
  c.pki.goog o.pki.goog i.pki.goog crl.microsoft.com mscrl.microsoft.com oneocsp.microsoft.com ocsp.msocsp.com
  ocsp.apple.com crl.apple.com ocsp2.apple.com valid.apple.com letsencrypt.org acme-v02.api.letsencrypt.org
  r3.o.lencr.org e1.o.lencr.org x1.c.lencr.org r3.i.lencr.org`);

const REGISTRIES = words(`
  registry.npmjs.org registry.yarnpkg.com pypi.org files.pythonhosted.org rubygems.org crates.io static.crates.io
  index.crates.io repo.maven.apache.org repo1.maven.org central.sonatype.com api.nuget.org www.nuget.org
  proxy.golang.org sum.golang.org packagist.org repo.packagist.org registry-1.docker.io auth.docker.io
  production.cloudflare.docker.com registry.k8s.io quay.io`);

/** Front pages and APIs to which only their owner writes. */
const FRONT_PAGES = words(`
  google.com www.google.com microsoft.com www.microsoft.com apple.com www.apple.com cloudflare.com www.cloudflare.com
  github.com www.github.com api.github.com mozilla.org www.mozilla.org wikipedia.org www.wikipedia.org en.wikipedia.org
  debian.org www.debian.org ubuntu.com www.ubuntu.com python.org www.python.org nodejs.org www.nodejs.org
  apache.org www.apache.org example.com example.net example.org`);

/**
 * MD5, SHA-1 and SHA-256 of files without content: the empty file, one line feed, one carriage return and line feed,
 * one space, one zero byte, the empty zip archive. The EICAR test file is not among them, because it has a category of
 * its own.
 */
const DIGESTS_OF_NOTHING = words(`
  d41d8cd98f00b204e9800998ecf8427e da39a3ee5e6b4b0d3255bfef95601890afd80709
  e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
  68b329da9893e34099c7d8ad5cb9c940 adc83b19e793491b1c6ea0fd8b46cd9f32e592fc
  01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b
  81051bcc2cf1bedf378224b0a93e2877 ba8ab5a0280b953aa97435ff8946cbcbb2755a27
  7eb70257593da06f682a3ddda54a9d260d4fc514f645237f5ca74b08f8da61a6
  7215ee9c7d9dc229d2921a40e899ec5f b858cb282617fb0956d960215c8e84d1ccf909c6
  36a9e7f1c95b82ffb99743e0c5c4ce95d83c9a430aac59f84ef3cbfab6145068
  93b885adfe0da089cdf634904fd59f71 5ba93c9db0cff93f52b521d7420e43f6eda2784f
  6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
  76cdb2bad9582d23c1f6f4d868218d6c b04f3ee8f5e43fa3b162981b50bb72fe1acabb33
  8739c76e681f900923b900c9df0ef75cf421d39cabb54650c4b9ad19b6a76d85`);

export const CANARY_VALUES: readonly string[] = [
  ...PUBLIC_RESOLVERS,
  ...NAME_SERVERS,
  ...TIME_SERVERS,
  ...NAMES_OF_THE_NET,
  ...UPDATE_HOSTS,
  ...CERTIFICATE_HOSTS,
  ...REGISTRIES,
  ...FRONT_PAGES,
  ...DIGESTS_OF_NOTHING,
];
