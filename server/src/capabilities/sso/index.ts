export { ssoWorkerPart } from './jobs.ts';
export { callbackUrlOf, openSsoRoutes, type SsoRoutesDeps } from './open-sso-routes.ts';
export { admitOwnSignIn } from './own-sign-in.ts';
export { createProvider } from './provider.ts';
export { createProviderFetch } from './provider-fetch.ts';
export { ssoRoutes } from './routes.ts';
export { openSso, type Sso } from './sso.ts';
export type { SsoDeps } from './sso-deps.ts';
