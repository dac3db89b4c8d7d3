import { expect, test } from 'vitest';
import { type CertificateState, certificateProblem } from './certificate-problem.ts';
import { serialNumber } from './serial-number.ts';

const fine: CertificateState = {
  nowMs: 50,
  validFromMs: 0,
  validToMs: 100,
  isForHost: true,
  isSelfIssued: false,
  code: null,
};

test.each<[string | null, Partial<CertificateState>]>([
  [null, {}],
  [null, { nowMs: 0 }],
  [null, { nowMs: 100 }],
  // A trusted root is issued by itself, which is no problem.
  [null, { isSelfIssued: true }],
  ['expired', { nowMs: 101, code: 'CERT_HAS_EXPIRED' }],
  ['expired', { nowMs: 101 }],
  ['not valid yet', { nowMs: -1, code: 'CERT_NOT_YET_VALID' }],
  ['for another name', { isForHost: false, code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  ['self-signed', { isSelfIssued: true, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['expired; self-signed', { nowMs: 101, isSelfIssued: true, code: 'CERT_HAS_EXPIRED' }],
  ['its issuer is unknown', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
  ['its chain does not verify', { code: 'A_CODE_OF_TOMORROW' }],
  // The dates of the leaf are valid, so another certificate in the chain has expired.
  ['a certificate above it is not valid', { code: 'CERT_HAS_EXPIRED' }],
])('%s', (problem, state) => {
  expect(certificateProblem({ ...fine, ...state })).toBe(problem);
});

test('a serial number has one spelling for every origin', () => {
  expect(serialNumber('04ab')).toBe('04AB');
  expect(serialNumber('4ab')).toBe('04AB');
  expect(serialNumber('00ff02')).toBe('FF02');
  expect(serialNumber('0')).toBe('00');
  expect(serialNumber('f'.repeat(400))).toHaveLength(64);
});
