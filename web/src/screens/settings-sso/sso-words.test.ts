import type { SsoConnection } from '@assay/sdk';
import { expect, test } from 'vitest';
import { nextStep } from './sso-words.ts';

const SAVED: SsoConnection = {
  emailDomain: 'example.com',
  issuerUrl: 'https://idp.example.com',
  clientId: 'assay',
  hasClientSecret: true,
  enforceSso: false,
  enabled: false,
  callbackUrl: 'https://app.example.com/api/auth/sso/callback',
  domainProof: { name: '_assay-sso.example.com', value: 'assay-sso=x', provenAt: null },
  lastSignInAt: null,
};
const MOMENT = '2026-11-17T09:00:00.000Z';
const proven = { ...SAVED, domainProof: { ...SAVED.domainProof, provenAt: MOMENT } };

test('the sentence names the step that comes next', () => {
  expect(nextStep(null)).toBe('Single sign-on is not set up.');
  expect(nextStep(SAVED)).toContain('Publish the TXT record');
  expect(nextStep(proven)).toContain('switched off');
  expect(nextStep({ ...proven, enabled: true })).toContain('Sign in with it once');
  expect(nextStep({ ...proven, enabled: true, lastSignInAt: MOMENT })).toContain('Passwords work too');
  expect(nextStep({ ...proven, enabled: true, lastSignInAt: MOMENT, enforceSso: true })).toContain('alone');
});
