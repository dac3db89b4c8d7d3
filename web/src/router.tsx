import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { keepRawUrl } from './box/raw-url.ts';
import { Frame } from './frame/frame.tsx';
import { Lost } from './frame/lost.tsx';
import { ScreenFailed } from './frame/screen-failed.tsx';

const root = createRootRoute({ component: Frame, notFoundComponent: Lost, errorComponent: ScreenFailed });

/** `?q=` comes from the browser's address bar search (public/opensearch.xml). */
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: ({ q }): { readonly q?: string } => (typeof q === 'string' && q !== '' ? { q } : {}),
  component: lazyRouteComponent(() => import('./screens/check-home/check-home.tsx'), 'CheckHome'),
});

const indicatorPage = lazyRouteComponent(
  () => import('./screens/indicator/indicator-page.tsx'),
  'IndicatorPage',
);
/** These paths are stable because a SIEM links to them by template. A URL may follow encoded or raw. */
const ip = createRoute({ getParentRoute: () => root, path: '/ip/$value', component: indicatorPage });
const domain = createRoute({ getParentRoute: () => root, path: '/domain/$value', component: indicatorPage });
const hash = createRoute({ getParentRoute: () => root, path: '/hash/$value', component: indicatorPage });
const url = createRoute({ getParentRoute: () => root, path: '/url/$', component: indicatorPage });

const bulk = createRoute({
  getParentRoute: () => root,
  path: '/bulk',
  validateSearch: (search): Readonly<Record<string, string>> => strings(search),
  component: lazyRouteComponent(() => import('./screens/bulk/bulk-page.tsx'), 'BulkPage'),
});
const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyRouteComponent(() => import('./screens/overview/overview-page.tsx'), 'OverviewPage'),
});
const freshness = createRoute({
  getParentRoute: () => root,
  path: '/status/data',
  component: lazyRouteComponent(() => import('./screens/freshness/freshness-page.tsx'), 'FreshnessPage'),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Only a path of this site: anything else would be an open redirect.
  validateSearch: ({ next }): { readonly next?: string } =>
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const strings = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export const router = createRouter({
  routeTree: root.addChildren([home, ip, domain, hash, url, bulk, overview, freshness, signIn]),
  basepath: '/app',
  rewrite: { input: keepRawUrl },
  defaultPreload: 'intent',
  // A screen that fails keeps the frame around it.
  defaultErrorComponent: ScreenFailed,
  // Without JSON quotes, because people read and type these addresses: `?q=1.2.3.4`, not `?q="1.2.3.4"`.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(strings(search)).toString();
    return text === '' ? '' : `?${text}`;
  },
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
