import { describe, expect, test } from 'vitest';
import { parseIndicator } from '../indicator/index.ts';
import { findService, SERVICES } from './find-service.ts';

const values = SERVICES.flatMap((service) =>
  service.values
    .trim()
    .split(/\s+/)
    .map((value) => ({ value, service })),
);

describe('a known value has its service', () => {
  test.each([
    ['8.8.8.8', 'Google Public DNS'],
    ['2001:4860:4860::8888', 'Google Public DNS'],
    ['1.1.1.1', 'Cloudflare 1.1.1.1'],
    ['9.9.9.9', 'Quad9'],
    ['208.67.222.222', 'OpenDNS'],
    ['94.140.14.14', 'AdGuard DNS'],
    ['a.root-servers.net', 'Root server a'],
    ['2001:dc3::35', 'Root server m'],
    ['time.windows.com', 'Windows time server'],
    ['0.de.pool.ntp.org', 'NTP Pool'],
    ['smtp-mail.outlook.com', 'Outlook mail'],
    ['alt1.gmail-smtp-in.l.google.com', 'Gmail'],
    ['login.microsoftonline.com', 'Microsoft sign-in'],
    ['au.download.windowsupdate.com', 'Windows Update'],
    ['ocsp.digicert.com', 'DigiCert certificate status'],
    ['r3.o.lencr.org', "Let's Encrypt certificate status"],
    ['api.telegram.org', 'Telegram Bot API'],
  ])('%s: %s', (value, name) => {
    expect(findService(value)?.name).toBe(name);
  });

  test.each([
    '8.8.8.9',
    'google.com',
    'mail.smtp.gmail.com',
    'windowsupdate.com.evil.net',
    'notwindowsupdate.com',
    'telegram.org',
    'contoso-com.mail.protection.outlook.com',
  ])('%s has none', (value) => {
    expect(findService(value)).toBeNull();
  });
});

describe('the table of services', () => {
  test('holds every value once, in a form that a check looks up', () => {
    expect(values.map(({ value }) => value).toSorted()).toEqual(
      [...new Set(values.map(({ value }) => value))].toSorted(),
    );
    for (const { value, service } of values) {
      const parsed = parseIndicator(value.replace(/^\./, ''));
      expect(parsed.ok && findService(parsed.indicator.value)?.name, value).toBe(service.name);
    }
  });

  test('cites the page of the operator for every service, and only APIs vouch for nothing', () => {
    for (const { name, source, kind, vouches } of SERVICES) {
      expect(source, name).toMatch(/^https:\/\//);
      expect(vouches === false, name).toBe(kind === 'api');
    }
  });
});
