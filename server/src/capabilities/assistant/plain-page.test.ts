import { expect, test } from 'vitest';
import type { CheckResult } from '#capabilities/check/index.ts';
import { renderPlain } from './plain-page.ts';

const answered = (over: object): CheckResult =>
  ({
    query: '192.0.2.7',
    malicious: false,
    blocklistHits: 1,
    sources: [{ name: 'C2 <b>Tracker</b>', threatClass: 'threat', matchType: 'exact' }],
    riskScore: { score: 91, level: 'critical', word: 'Malicious' },
    evidence: {
      verdict: 'critical',
      recommendedAction: 'block',
      reasons: ['A list of <script>servers</script> names it.'],
      contradictorySignals: [],
    },
    ...over,
  }) as unknown as CheckResult;

test('the plain page says the word, the score, what to do and who says so', () => {
  const html = renderPlain(answered({}));
  expect(html).toContain('192.0.2.7: Malicious (91 of 100).');
  expect(html).toContain('<b>Do:</b> Block it.');
  expect(html).toContain('C2 &lt;b&gt;Tracker&lt;/b&gt;');
});

test('nothing that a stranger wrote becomes markup, and the page has no script', () => {
  const html = renderPlain(answered({ query: '"><script>x</script>' }));
  expect(html).not.toContain('<script');
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"');
});

test('an indicator without evidence gets no good word', () => {
  const html = renderPlain(answered({ evidence: null, riskScore: null, sources: [], blocklistHits: 0 }));
  expect(html).toContain('There is no verdict on 192.0.2.7.');
  expect(html).toContain('Unknown is not clean.');
  expect(html).toContain('<b>Do:</b> Treat it as unverified.');
});
