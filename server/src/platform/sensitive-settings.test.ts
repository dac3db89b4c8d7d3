import { describe, expect, test } from 'vitest';
import { changedSettings } from './changed-settings.ts';
import { Environment } from './config.ts';
import { SENSITIVE_SETTINGS, type Setting, showSetting } from './sensitive-settings.ts';

const CANARY = 'canary9f2c7d';
const names = Object.keys(Environment.shape) as Setting[];
const accepts = (name: Setting, text: string): boolean => Environment.shape[name].safeParse(text).success;
/** Settings that hold text which is no URL: numbers and words cannot be credentials. */
const TEXTS = [`${CANARY}Aa1`, `1:${CANARY.repeat(4)}`, `${CANARY}@example.com`];
const takesText = (name: Setting): boolean => TEXTS.some((text) => accepts(name, text));

const SECRET_NAME = /(KEY|SECRET|PASSWORD|PASS|TOKEN|PEPPER|CREDENTIAL|AUTH)(_|$)/;
const SCHEMES = [
  'https',
  'http',
  'postgres',
  'postgresql',
  'redis',
  'rediss',
  'redis+cluster',
  'smtp',
  'smtps',
];
/** Places of a URL where a credential can be. */
const URLS = SCHEMES.flatMap((scheme) => [
  `${scheme}://user:${CANARY}@host.example/path`,
  `${scheme}://${CANARY}@host.example:1234/path`,
  `${scheme}://host.example/path?license_key=${CANARY}`,
  `${scheme}://host.example/path?password=a@${CANARY}`,
  `${scheme}://host.example/#${CANARY}`,
  `${scheme}://user:a@b/${CANARY}@host.example/path`,
  `${scheme}://user:a?b#${CANARY}@host.example/path`,
  `${scheme}://user:1/${CANARY}@host.example`,
  `${scheme}://user:a,${CANARY}@host.example:7001,other.example:7002`,
  `${scheme}://host.example/a,${scheme}://user:${CANARY}@host.example/b`,
]);

describe('no credential is shown (reliability 3.K)', () => {
  test('a setting whose name says that it is a credential is a secret', () => {
    const named = names.filter((name) => SECRET_NAME.test(name) && takesText(name));
    expect(named).toContain('STRIPE_WEBHOOK_SECRET');
    expect(named.filter((name) => SENSITIVE_SETTINGS[name] !== 'secret')).toEqual([]);
    for (const name of named) expect(showSetting(name, CANARY)).toBe('set');
  });

  test('a setting that takes URLs only is shown without user, password, query and fragment', () => {
    const urls = names.filter((name) => !takesText(name) && URLS.some((url) => accepts(name, url)));
    expect(urls).toContain('SMTP_URL');
    expect(urls.filter((name) => SENSITIVE_SETTINGS[name] === undefined)).toEqual([]);
    for (const name of urls) for (const url of URLS) expect(showSetting(name, url)).not.toContain(CANARY);
  });

  test.each([
    [
      'DATABASE_URL',
      'postgres://app:pw@db.example:5433/assay?sslmode=require',
      'postgres://db.example:5433/assay',
    ],
    ['REDIS_URL', 'redis://:pw@cache.example:6379', 'redis://cache.example:6379'],
    [
      'REDIS_URL',
      'redis+cluster://u:pw@a.example:7001,b.example:7002',
      'redis+cluster://a.example:7001,b.example:7002',
    ],
    [
      'REFERENCE_ASN_URL',
      'https://a.example/4?t=x, https://a.example/6',
      'https://a.example/4,https://a.example/6',
    ],
    ['SMTP_URL', 'smtps://u:p%40w@mail.example:465', 'smtps://mail.example:465'],
    ['DATABASE_URL', 'not a URL', 'set'],
    ['MAIL_FROM', 'Assay <no-reply@example.com>', 'Assay <no-reply@example.com>'],
  ] as const)('%s %s is shown as %s', (name, text, shown) => {
    expect(showSetting(name, text)).toBe(shown);
  });
});

describe('the settings that differ from their defaults', () => {
  test('are named with their values, and nothing else is', () => {
    const given = {
      HTTP_PORT: '8080',
      REGISTRATION: 'closed',
      TRUSTED_PROXIES: '10.0.0.0/8',
      OTX_KEY: CANARY,
    };
    expect(changedSettings({})).toEqual({});
    expect(changedSettings(given)).toEqual({
      TRUSTED_PROXIES: '10.0.0.0/8',
      REGISTRATION: 'closed',
      OTX_KEY: 'set',
    });
  });

  test('a long value is cut', () => {
    const links = Array.from(
      { length: 9 },
      (_, n) => `A${n}=https://siem.example/find-by-value/{value}`,
    ).join(',');
    expect(changedSettings({ OUTWARD_LINKS: links }).OUTWARD_LINKS).toHaveLength(201);
  });
});
