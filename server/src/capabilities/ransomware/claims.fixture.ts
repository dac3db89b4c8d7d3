/** Invented posts, groups and articles in the formats of the trackers, for tests with the clock at 8 May 2026. */

export const ONION = 'abcdefghij234567abcdefghij234567abcdefghij234567abcdefgh.onion';
export const NOW_MS = Date.UTC(2026, 4, 8, 12);

export const HOSTILE_TITLE = `<script>alert(1)</script> \u202e http://${ONION}/leak`;

const post = (title: string, group: string, discovered: string, more: object = {}) => ({
  post_title: title,
  group_name: group,
  discovered,
  ...more,
});

export const POSTS = [
  post('Northwind Clinic', 'akira', '2026-05-06 08:00:00.000000', {
    website: 'https://www.northwind-clinic.com/',
    activity: 'Healthcare',
    country: 'US',
    post_url: `http://${ONION}/n1`,
    description: 'We took everything.',
  }),
  post('northwind-clinic.com', 'qilin', '2026-05-07 08:00:00.000000'),
  post('Contoso Bank', 'AKIRA', '2026-05-05', {
    activity: 'Financial Services',
    country: 'DEU',
    description: '[AI generated] Contoso Bank is a bank.',
  }),
  post('Fabrikam', 'akira', '2026-05-04', { activity: 'Not Found', country: 'URU' }),
  post('Tailspin Hospital', 'play', '2026-03-20', { activity: 'Healthcare', country: 'CA' }),
  post('T******** ****', 'play', '2026-05-01'),
  post(HOSTILE_TITLE, 'play', '2026-05-02'),
  post('Old Town Council', 'conti', '2022-01-10'),
  post('Tomorrow Ltd', 'akira', '2026-06-01'),
];

/** A later file of the same tracker, with one claim more. */
export const WITH_NEWS = [...POSTS, post('Wingtip Toys', 'play', '2026-05-08 01:00:00')];

/** The same victims as another tracker tells them, and one more. */
export const PAGE = `<table><tr><th>Post</th></tr>
  <tr><td>Northwind Clinic</td><td>Akira</td><td>2026-05-05</td><td>US</td></tr>
  <tr><td>Adventure Works &amp; Co</td><td>qilin</td><td>2026-05-07</td><td>GB</td></tr>
</table>`;

export const GROUPS = [
  {
    name: 'conti',
    meta: 'aka wizard',
    locations: [
      { fqdn: ONION, title: 'THIS SITE HAS BEEN SEIZED', available: true, updated: '2023-08-23 16:10:45' },
    ],
    profile: ['https://example.com/conti', 'https://t.me/conti', `http://${ONION}/x`],
  },
  {
    name: 'sleeping',
    meta: null,
    locations: [{ fqdn: 'sleeping-leaks.example.org', available: false }],
    profile: [],
  },
];

export const GALAXY = {
  values: [
    {
      value: 'Akira',
      description: `A group. See http://${ONION}/.`,
      meta: {
        synonyms: ['Storm-1567'],
        TTP: ['Phishing - T1566'],
        ransomnotes: ['note'],
        refs: ['https://example.com/akira'],
      },
    },
    { value: 'Described Only', description: 'A family without a site.', meta: {} },
  ],
};

const article = (victim: string, domain: string, date: string, url: string) => ({
  date,
  victim,
  domain,
  country: 'USA',
  title: `${victim} <b>hit</b> by attack`,
  url,
});

export const PRESS = [
  article('Northwind', 'northwind-clinic.com', '2026-05-07', 'https://news.example.com/northwind'),
  article('Contoso Bank', '', '2026-01-02', 'https://news.example.com/too-early'),
  article('Litware', 'litware.com', '2026-05-01', 'https://news.example.com/litware'),
];
