import type { Environment } from './config.ts';

export type Setting = keyof typeof Environment.shape;

/**
 * Settings that may hold a credential, and how they are written where people read them: a secret as "set", a URL without
 * user, password and query. A new setting that is a key, a token or a URL needs its line here (a test compares).
 */
export const SENSITIVE_SETTINGS: Readonly<Partial<Record<Setting, 'secret' | 'url'>>> = {
  DATABASE_URL: 'url',
  SYSTEM_DATABASE_URL: 'url',
  MIGRATE_DATABASE_URL: 'url',
  REDIS_URL: 'url',
  PUBLIC_API_URL: 'url',
  PUBLIC_WEB_URL: 'url',
  SECRET_KEY: 'secret',
  KEY_PEPPER: 'secret',
  REFERENCE_GEO_URL: 'url',
  REFERENCE_ASN_URL: 'url',
  REFERENCE_ATTACK_URL: 'url',
  ABUSE_CH_AUTH_KEY: 'secret',
  ABUSEIPDB_KEY: 'secret',
  PHISHTANK_KEY: 'secret',
  MALSHARE_KEY: 'secret',
  NVD_API_KEY: 'secret',
  CLOUDFLARE_RADAR_TOKEN: 'secret',
  SMTP_URL: 'url',
  OUTBOUND_PROXY: 'url',
  PRICING_URL: 'url',
  CONTACT_URL: 'url',
  STRIPE_SECRET_KEY: 'secret',
  STRIPE_WEBHOOK_SECRET: 'secret',
  STRIPE_API_URL: 'url',
  CANARY_KEY: 'secret',
  CANARY_URL: 'url',
  RDAP_BOOTSTRAP_URL: 'url',
  CT_URL: 'url',
  INTERNETDB_URL: 'url',
  OTX_URL: 'url',
  OTX_KEY: 'secret',
  SCANNER_URL: 'url',
  SCANNER_KEY: 'secret',
  TENANT_URL: 'url',
  INTELOWL_URL: 'url',
  INTELOWL_TOKEN: 'secret',
  AI_URL: 'url',
  AI_KEY: 'secret',
};

const SHOWN_CHARS_MAX = 200;
const HIDDEN = 'set';

/** The value of a setting as an operator may read it in a log. */
export function showSetting(name: Setting, text: string): string {
  const kind = SENSITIVE_SETTINGS[name];
  if (kind === 'secret') return HIDDEN;
  const shown = kind === 'url' ? publicPartOf(text) : text;
  return shown.length <= SHOWN_CHARS_MAX ? shown : `${shown.slice(0, SHOWN_CHARS_MAX)}…`;
}

/** One URL or a comma-separated list of them without credentials; what cannot be read as URLs is hidden as a whole. */
function publicPartOf(text: string): string {
  const cluster = /^(rediss?\+cluster:\/\/)(?:[^/?#@]*@)?([\w.:,[\]-]+)\/?$/.exec(text);
  if (cluster !== null) return `${cluster[1]}${cluster[2]}`;
  const hosts =
    /^(postgres(?:ql)?:\/\/)(?:[^/?#@]*@)?([\w.:[\]-]+(?:,[\w.:[\]-]+)+)(\/[\w-]*)?(?:\?[^@]*)?$/.exec(text);
  if (hosts !== null) return `${hosts[1]}${hosts[2]}${hosts[3] ?? ''}`;
  const parts = text.split(',').map((part) => URL.parse(part.trim()));
  const isReadable = parts.every((url) => url !== null && url.host !== '' && !url.pathname.includes('@'));
  if (!isReadable) return HIDDEN;
  return parts
    .flatMap((url) => (url === null ? [] : [`${url.protocol}//${url.host}${url.pathname}`]))
    .join(',');
}
