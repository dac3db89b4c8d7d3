import { createECDH, createHash, createPrivateKey } from 'node:crypto';
import type { Issued } from '#test/peers/tls-peer.ts';

/** Signs the golden certificate only; its private key was deleted. */
export const GOLDEN_AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBdjCCARygAwIBAgIQChHOAAAAAAAAAAAAAAC+7zAKBggqhkjOPQQDAjAbMRkw
FwYDVQQDDBBHb2xkZW4gQXV0aG9yaXR5MB4XDTI2MDEwMTAwMDAwMFoXDTQ5MTIz
MTAwMDAwMFowGzEZMBcGA1UEAwwQR29sZGVuIEF1dGhvcml0eTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABGNTLySrlE/L3rO9Tam5ektRjPSXJCLABjr5Yx+4z/l0
JqewV4qg120PKBKEJ9hvBlOMvyHfMziqgMYLq0W7NwqjQjBAMA8GA1UdEwEB/wQF
MAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBSPUT0WLCJAsKlN1H5WCGKK
+5ERvDAKBggqhkjOPQQDAgNIADBFAiEAmr9bc78rNq2YIypDVBTJe70yxMUsJ3hP
y2IYo7KIzrECICLNzBm9lSRjCyaq7HI85zSE21P4A2nC/yxuGcT568AR
-----END CERTIFICATE-----
`;

/** For login-check.com, popular-shop.com and 45.155.205.233, from March 2026 to the end of 2049. */
const LEAF = `-----BEGIN CERTIFICATE-----
MIIBzTCCAXSgAwIBAgIQChHOAAAAAAAAAAAAAAC+8DAKBggqhkjOPQQDAjAbMRkw
FwYDVQQDDBBHb2xkZW4gQXV0aG9yaXR5MB4XDTI2MDMwMTAwMDAwMFoXDTQ5MTIz
MTAwMDAwMFowMzEYMBYGA1UEAwwPbG9naW4tY2hlY2suY29tMRcwFQYDVQQKDA5H
b2xkZW4gRXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEN+rI6Y12/6
DyVLmh/ZBxq9iO5QzKvKOX1VJxNJqL3vF/46gKu3aC/ybjW8vKDQy4MdRSlez5dT
PpZ9LecJa7+jgYEwfzAJBgNVHRMEAjAAMDIGA1UdEQQrMCmCD2xvZ2luLWNoZWNr
LmNvbYIQcG9wdWxhci1zaG9wLmNvbYcELZvN6TAdBgNVHQ4EFgQUNWbCG8gY9KGh
lf38LeqtDyRUgEcwHwYDVR0jBBgwFoAUj1E9FiwiQLCpTdR+VghiivuREbwwCgYI
KoZIzj0EAwIDRwAwRAIgaOEtyLVK8FhzylraJ63BhWWJvU4+/1Iu35VpMzdclL4C
IFUzGhjNN2WuwOB6CKNuTmzgA2pgugSdgyf1+dR9eBIT
-----END CERTIFICATE-----
`;

/** A certificate with fixed bytes, so that its fingerprint can be part of a golden answer. */
export const goldenCertificate = (): Issued => ({ cert: LEAF, key: keyOfNobody() });

/** Derived from a sentence, so that the repository holds no private key. */
function keyOfNobody(): string {
  const d = createHash('sha256').update('the key of the golden host: known to everybody').digest();
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: x ?? '', y: y ?? '' };
  return createPrivateKey({ format: 'jwk', key }).export({ type: 'pkcs8', format: 'pem' }).toString();
}
