import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { Environment } from '#platform/config.ts';
import type { Setting } from '#platform/sensitive-settings.ts';

/** Values of settings that no rule derives from the schema, chosen to be hard to pass on: commas, spaces, $, quotes, #. */
const TEXTS: Readonly<Partial<Record<Setting, string>>> = {
  // The settings that have an effect in tests only are read back too.
  ASSAY_ENV: 'test',
  DATABASE_URL: 'postgres://app:p%24w@db.example:5433/assay2',
  SYSTEM_DATABASE_URL: 'postgres://system:p%24w@db.example:5433/assay2',
  MIGRATE_DATABASE_URL: 'postgres://owner:p%24w@db.example:5433/assay2',
  REDIS_URL: 'redis+cluster://a.example:7001,b.example:7002',
  REDIS_PREFIX: 'other',
  DATA_DIR: '/srv/a b/$HOME #1',
  HTTP_HOST: '::1',
  METRICS_HOST: '::1',
  PUBLIC_API_URL: 'https://api.example/',
  PUBLIC_WEB_URL: 'https://web.example/',
  PRICING_URL: 'https://www.example/pricing',
  CONTACT_URL: 'https://www.example/contact',
  WEB_DIR: '/srv/web "new" it',
  OUTWARD_LINKS:
    'Our SIEM:ip|domain=https://siem.example/find?q={value}&x=$a#1,B b=https://b.example/#{value}',
  SECRET_KEY: `2:${'$n"#'.repeat(10)},1:${'o'.repeat(40)}`,
  KEY_PEPPER: `1:${'p$$'.repeat(14)}`,
  TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
  UPGRADE_PROMO_CODE: 'SPRING_26',
  SSO_ALLOW: '10.0.0.7/32:443, 10.0.0.8/32:443',
  REFERENCE_GEO_URL: 'https://geo.example/a?token=$t&b=1,https://geo.example/b#2',
  REFERENCE_ASN_URL: 'https://asn.example/4.mmdb,https://asn.example/6.mmdb',
  REFERENCE_ATTACK_URL: 'https://attack.example/bundle.json',
  REFERENCE_HOSTS_FILE: '/srv/visited "hosts" #1.tsv.gz',
  SMTP_URL: 'smtp://user:p%24w@mail.example:587',
  MAIL_FROM: 'Assay & Co #1 $5 <no-reply@example.com>',
  MAIL_CA_FILE: '/run/ca one.pem',
  FORMS_TO: "o'neil@example.com",
  OUTBOUND_DENY: '198.51.100.0/24, 2001:db8::/32',
  OUTBOUND_PROXY: 'http://assay:p%24w@proxy.example:4750',
  WEBHOOK_ALLOW: '127.0.0.1/32:8443, 127.0.0.2/32:8443',
  WEBHOOK_CA_FILE: '/run/ca two.pem',
  ADMIN_HOST: '::1',
  ADMIN_PORT: '8099',
  METER_SHARES: '4',
  STRIPE_PRICES: 'PRO:MONTHLY=price_1AbC, BASIC:YEARLY=price_2AbC',
  STRIPE_API_URL: 'https://stripe.example/',
  CANARY_KEY: 'YWs6c2s=',
  CANARY_URL: 'https://canary.example/',
  LIVE_PROVIDERS: 'dns, web',
  DNS_SERVERS: '192.0.2.53, [2001:db8::53]:5353',
  OUTBOUND_ALLOW: '10.0.0.9/32:443, 10.0.1.9/32:80',
  RDAP_BOOTSTRAP_URL: 'https://rdap.example/',
  WHOIS_ROOT: 'whois.example:4343',
  CT_URL: 'https://ct.example/',
  INTERNETDB_URL: 'https://internetdb.example/',
  OTX_URL: 'https://otx.example/',
  SCANNER_URL: 'https://scanner.example/',
  TENANT_URL: 'https://tenant.example/',
  INTELOWL_URL: 'https://intelowl.example/?a=1&b=$2',
  AI_URL: 'https://ai.example/v1',
  AI_MODEL: 'a model, "large" $1',
};

/** A value of each setting that is valid and is not its default, as a text of `.env`. */
export function settingSamples(): Record<Setting, string> {
  const names = Object.keys(Environment.shape) as Setting[];
  const samples = names.map((name): [Setting, string] => {
    const given = TEXTS[name];
    const text = given ?? derived(name);
    if (text === undefined) throw new Error(`Add a value of ${name} that is not its default to TEXTS.`);
    return [name, text];
  });
  return Object.fromEntries(samples) as Record<Setting, string>;
}

/** Numbers, flags and words are tried; texts are tried with a key that has the characters which break quoting. */
function derived(name: Setting): string | undefined {
  const schema = Environment.shape[name] as z.ZodType;
  const words = enumOf(schema);
  const tried = [...words, 'a$b"c\'d#e$$f', ...[2, 3, 60, 997].map(String)];
  const byDefault = schema.safeParse(undefined).data;
  return tried.find((text) => {
    const read = schema.safeParse(text);
    return read.success && !isDeepStrictEqual(read.data, byDefault);
  });
}

function enumOf(schema: z.ZodType): readonly string[] {
  const def = schema.def as {
    innerType?: z.ZodType;
    in?: z.ZodType;
    entries?: Readonly<Record<string, string>>;
  };
  if (def.entries !== undefined) return Object.values(def.entries);
  const inner = def.innerType ?? def.in;
  return inner === undefined ? [] : enumOf(inner);
}

/** One line of `.env` that Compose, systemd and Node read as the same value: single quotes, double ones where they must. */
export const envLine = (name: string, value: string): string =>
  value.includes("'") ? `${name}="${value.replace(/["\\$]/g, '\\$&')}"` : `${name}='${value}'`;
