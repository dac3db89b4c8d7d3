export { createTenantProvider } from './tenant-provider.ts';
