import type { ComponentType } from 'react';

/** The screen needs a session, and one of these plans and roles if its routes demand them. */
export type Needs = { readonly plans?: readonly string[]; readonly roles?: readonly string[] };

/**
 * Every screen of the dashboard, once: its address, its name in the menu and the palette, its key after `g`, who may
 * open it, and its script, which loads when the screen is opened. The build reads this file too, to preload that script.
 */
export type Screen = {
  /** Below the base; `:name` takes one segment, `*` the rest. */
  readonly path: string;
  /** A screen without a title is reached by a value or a link, not from the menu. */
  readonly title?: string;
  readonly group?: 'Intelligence' | 'Platform';
  /** The key that opens the screen when pressed after `g`. */
  readonly key?: string;
  /** Who is offered the screen; everybody when it is absent. */
  readonly needs?: Needs;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
};

const indicator = () => import('./screens/indicator/indicator-page.tsx');

export const SCREENS: readonly Screen[] = [
  { path: '/', title: 'Check', key: 'c', load: () => import('./screens/check-home/check-home.tsx') },
  { path: '/bulk', title: 'Bulk triage', key: 'b', load: () => import('./screens/bulk/bulk-page.tsx') },
  {
    path: '/reports',
    title: 'Reports',
    key: 'p',
    needs: {},
    load: () => import('./screens/reports/reports-page.tsx'),
  },
  { path: '/reports/:id', load: () => import('./screens/reports/report-page.tsx') },
  {
    path: '/overview',
    title: 'Overview',
    group: 'Intelligence',
    key: 'o',
    load: () => import('./screens/overview/overview-page.tsx'),
  },
  {
    path: '/status/data',
    title: 'Data freshness',
    group: 'Platform',
    key: 'd',
    load: () => import('./screens/freshness/freshness-page.tsx'),
  },
  {
    path: '/keys',
    title: 'Keys',
    group: 'Platform',
    key: 'k',
    needs: {},
    load: () => import('./screens/keys/keys-page.tsx'),
  },
  {
    path: '/usage',
    title: 'Usage',
    group: 'Platform',
    key: 'u',
    needs: {},
    load: () => import('./screens/usage/usage-page.tsx'),
  },
  {
    path: '/organization',
    title: 'Organization',
    group: 'Platform',
    key: 'm',
    needs: {},
    load: () => import('./screens/organization/organization-page.tsx'),
  },
  {
    path: '/security',
    title: 'Security',
    group: 'Platform',
    key: 's',
    needs: {},
    load: () => import('./screens/security/security-page.tsx'),
  },
  { path: '/sign-in', load: () => import('./screens/entry/sign-in-page.tsx') },
  { path: '/register', load: () => import('./screens/entry/register-page.tsx') },
  { path: '/forgot', load: () => import('./screens/entry/forgot-page.tsx') },
  // E-mails link to these pages with a token behind the `#`, which browsers send to no server.
  { path: '/verify', load: () => import('./screens/entry/verify-page.tsx') },
  { path: '/reset', load: () => import('./screens/entry/reset-page.tsx') },
  { path: '/claim', load: () => import('./screens/entry/claim-page.tsx') },
  { path: '/invitation', load: () => import('./screens/entry/invitation-page.tsx') },
  // An organization's identity provider sends the browser back to this page.
  { path: '/sso', load: () => import('./screens/entry/sso-page.tsx') },
  {
    path: '/settings/sso',
    needs: { plans: ['ENTERPRISE'], roles: ['OWNER', 'ADMIN'] },
    load: () => import('./screens/settings-sso/settings-sso-page.tsx'),
  },
  // These paths never change, because SIEMs link to them by template. The value after `/url/` may be encoded or raw.
  { path: '/ip/:value', load: indicator },
  { path: '/domain/:value', load: indicator },
  { path: '/hash/:value', load: indicator },
  { path: '/url/*', load: indicator },
  { path: '/asn/:number', load: () => import('./screens/context/asn-page.tsx') },
  { path: '/network/*', load: () => import('./screens/context/network-page.tsx') },
  { path: '/source/:id', load: () => import('./screens/context/source-page.tsx') },
  { path: '/family/:name', load: () => import('./screens/context/family-page.tsx') },
  // An e-mail address, a phone number or a wallet: the value stands behind the `#` and never in the path.
  { path: '/contact', load: () => import('./screens/contact/contact-page.tsx') },
];
