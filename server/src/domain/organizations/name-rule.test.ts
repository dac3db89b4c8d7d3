import { expect, test } from 'vitest';
import { holdsAddress } from './name-rule.ts';

test.each([
  'Security alert: your mailbox is full, open www.evil-login.example/renew now',
  'Security alert, open evil-login.com/renew now',
  'Booking.com',
  'evil[.]com',
  'hxxp://evil.com',
  'evil。com',
  'ｅｖｉｌ．ｃｏｍ',
  'evil․com',
  'пример.рф',
  'support@evil.com',
  '192.0.2.7',
  '2001:db8::1',
  'ftp://x',
  'renew.zip',
  'intranet.local',
])('%s is no name of an organization', (name) => expect(holdsAddress(name)).toBe(true));

test.each([
  'Example Inc.',
  'Node.js Users',
  'A.T. Kearney',
  'U.S. Army',
  'Müller e.V.',
  'St.Gallen',
  'Team v1.2',
  'AT&T',
  'Yahoo!',
  'Example Co.,Ltd.',
  'Кооператив №5',
])('%s is', (name) => expect(holdsAddress(name)).toBe(false));
