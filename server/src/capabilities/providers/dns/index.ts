export { createAddressesProvider } from './addresses.ts';
export { createDnsProvider } from './dns.ts';
