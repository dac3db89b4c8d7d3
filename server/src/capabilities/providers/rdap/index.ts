export { createRdapProvider } from './rdap-provider.ts';
