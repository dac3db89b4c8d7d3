import { createHash } from 'node:crypto';

/** Every printable byte, and texts that would end a string literal, an observation or a JSON text if they were not quoted. */
const PRINTABLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
export const HOSTILE_TEXTS: readonly string[] = [
  "it's",
  "it\\'s",
  '\\',
  '\\\\',
  "\\\\'",
  "'] OR [url:value = 'http://other.example.com/",
  "' OR ipv4-addr:value = '198.51.100.1",
  "']",
  '"}',
  '"},{"type":"malware"}',
  '/*',
  '//',
  '[*]',
  "t'2026-01-01T00:00:00Z'",
  '\u00e9t\u00e9',
  '\u540d\u524d',
  '\ud83d\ude00',
  '\u202e\u0000',
  'a\nb',
  'a\r\nb',
  'a\tb',
  '%27%5c%0a',
  '%00',
  '<script>',
  '{{x}}',
];

/** URLs that hold each hostile text in their path, their query and their fragment. */
export const HOSTILE_URLS: readonly string[] = [...PRINTABLE, ...HOSTILE_TEXTS].flatMap((text, at) => [
  `http://hostile.example.net/${at}/${text}`,
  `http://hostile.example.net/${at}?q=${text}`,
  `http://hostile.example.net/${at}#${text}`,
]);

/** Names and addresses in the forms that publishers write them in. */
export const HOSTILE_NAMES: readonly string[] = [
  'b\u00fccher.example.com',
  '\u043f\u0440\u0438\u043c\u0435\u0440.example.com',
  '_dmarc.example.com',
  'xn--bcher-kva.example.net',
  'UPPER.Example.COM',
  'a--b.example.com',
  `${'a'.repeat(63)}.example.com`,
  '2A00:1450:0000:0000:0000:0000:0000:0001',
  '2a00:1451::/32',
  '2a00:1452:1::/48',
  '45.83.80.0/20',
  '45.83.96.128/25',
];

const digest = (algorithm: string, at: number): string => createHash(algorithm).update(`${at}`).digest('hex');

const FORMS: readonly ((at: number) => string)[] = [
  (at) => `45.${84 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
  (at) => `host${at}.example.com`,
  (at) => `http://host${at}.example.org/gate.php?id=${at}&to='${at}\\`,
  (at) => digest('sha256', at),
  (at) => `2a00:1460::${at.toString(16)}`,
  (at) => digest('md5', at),
  (at) => `46.${at >> 8}.${at & 255}.0/24`,
  (at) => digest('sha1', at),
];

/** `count` different values, of every kind that a collection can hold. */
export const valuesOfAllKinds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    (FORMS[at % FORMS.length] as (at: number) => string)(Math.floor(at / FORMS.length)),
  );
