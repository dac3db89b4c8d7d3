import type { Fault } from './fault-proxy.ts';
import { showRail } from './rail.ts';
import { SAMPLE } from './sample-peers.ts';
import type { Scene, SceneState } from './screens.ts';

const PAGES = /^\/api\/threat-intel\//;
const ANALYZE = /^\/api\/analyze/;
const RANGE = SAMPLE.malicious.replace(/\d+$/, '0/24');
/** A range in which the invented data lists nothing. */
const QUIET = '214.90.18.0/24';
const SHOWN = 'article [data-state="ready"] th[scope="row"]';

const answer = (path: RegExp, status: number, body: object): Fault => ({
  path,
  act: { kind: 'answer', status, headers: { 'x-request-id': '5f0c-example' }, body },
});
const away = (path: RegExp): Fault =>
  answer(path, 503, { error: 'UNAVAILABLE', message: 'The data is being loaded. Try again in a minute.' });

const context = (name: string, path: string, state: SceneState, more: Partial<Scene> = {}): Scene => ({
  name: `context-${name}`,
  screen: 'context',
  state,
  path,
  isSignedIn: true,
  shows: SHOWN,
  ...more,
});
const contact = (name: string, path: string, state: SceneState, more: Partial<Scene> = {}): Scene => ({
  ...context(name, path, state, more),
  name: `contact-${name}`,
  screen: 'contact',
});

/** Scenes of the context pages (network, source, family) and of contacts. */
export const CONTEXT: readonly Scene[] = [
  context('network', `/app/network/${RANGE}`, 'ready'),
  context('asn', '/app/asn/AS64496', 'ready'),
  context('source', '/app/source/sample-c2-servers?order=newest', 'ready'),
  context('family', '/app/family/samplestealer', 'ready'),
  context('network-empty', `/app/network/${QUIET}`, 'empty', { shows: 'p[data-state="empty"]' }),
  context('loading', '/app/source/sample-c2-servers', 'loading', {
    faults: [{ path: PAGES, act: { kind: 'hang' } }],
    shows: 'article [data-state="loading"]',
  }),
  context('error', '/app/family/samplestealer', 'error', { faults: [away(PAGES)], shows: 'role=alert' }),
  context('degraded', `/app/network/${RANGE}`, 'degraded', {
    movesClock: true,
    act: async (page, setFaults) => {
      setFaults([away(PAGES)]);
      // Answers count as fresh for 60 s, so after 61 s coming back asks again.
      await page.clock.runFor(61_000);
      await showRail(page);
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('heading', { level: 1, name: 'What is listed here' }).waitFor();
      await page.goBack();
      await page.getByText('the service has not answered since').waitFor();
    },
  }),
  context('signed-out', '/app/asn/64500', 'empty', {
    isSignedIn: false,
    shows: 'article [data-state="signed-out"]',
  }),
  contact('email', '/app/contact#email=invoice%40signin.kestrelpay.example.net', 'ready', {
    shows: 'section[aria-label="Verdict"]',
  }),
  contact('unknown', '/app/contact#phone=%2B14155552671', 'empty', {
    shows: 'section[aria-label="Verdict"]',
  }),
  contact('error', '/app/contact#phone=%2B14155552671', 'error', {
    faults: [away(ANALYZE)],
    shows: 'role=alert',
  }),
];
