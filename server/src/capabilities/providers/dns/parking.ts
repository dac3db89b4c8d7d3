/**
 * Name servers of companies that show advertising on unused names, and of markets where such names are for
 * sale. Only servers that serve nothing else: default servers of hosts (dns-parking.com,
 * registrar-servers.com) have working sites as well, and prove nothing.
 */
const PARKING_SERVERS: readonly string[] = [
  'above.com',
  'afternic.com',
  'bodis.com',
  'brandbucket.com',
  'cashparking.com',
  'dan.com',
  'domainparkingserver.net',
  'domainprofi.de',
  'dsredirection.com',
  'fabulous.com',
  'hugedomains.com',
  'namebrightdns.com',
  'parking-page.net',
  'parkingcrew.net',
  'parklogic.com',
  'parkpage.foundationapi.com',
  'rookdns.com',
  'searchmagnified.com',
  'sedoparking.com',
  'skenzo.com',
  'smartname.com',
  'uniregistrymarket.link',
  'voodoo.com',
  'ztomy.com',
];
const SUFFIXES = PARKING_SERVERS.map((name) => `.${name}`);

/** All of them must match: one such entry beside a company's own servers is a mistake. */
export const isParkedAt = (nameServers: readonly string[]): boolean =>
  nameServers.length > 0 &&
  nameServers.every((server) => SUFFIXES.some((suffix) => `.${server}`.endsWith(suffix)));
