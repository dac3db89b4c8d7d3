import { domainOf } from './email-domain.ts';

/** What a provider says about a person. Nothing of it is trusted before it was judged. */
export type Claims = Readonly<Record<string, unknown>>;

export type JudgedIdentity = {
  readonly subject: string;
  readonly email: string;
  /** When the person proved who they are to the provider; null where it does not say. */
  readonly authenticatedAtMs: number | null;
  /** The provider asked for more than one factor. */
  readonly hasSecondFactor: boolean;
};

const SUBJECT_CHARS_MAX = 255;
const EMAIL_CHARS_MAX = 254;
/** Methods of RFC 8176 that prove more than knowledge: possession, biometrics or several factors. */
const STRONG_METHODS: readonly string[] = ['mfa', 'otp', 'hwk', 'swk', 'sc', 'face', 'fpt', 'iris', 'retina'];
const ENTRA_HOST = 'login.microsoftonline.com';

/** The identity, or the reason for the log and the audit trail why it is refused. */
export function judgeClaims(
  claims: Claims,
  expected: { readonly emailDomain: string; readonly issuer: string },
): JudgedIdentity | string {
  const { sub, email, auth_time: authTime, amr } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_CHARS_MAX)
    return 'the provider names no subject';
  if (
    typeof email !== 'string' ||
    email.length > EMAIL_CHARS_MAX ||
    !/^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(email)
  )
    return 'the provider gives no e-mail address';
  if (!isVerified(claims, expected.issuer)) return 'the provider does not say that the address is verified';
  if (domainOf(email) !== expected.emailDomain) return 'the address is of another domain';
  return {
    subject: sub,
    email: email.toLowerCase(),
    authenticatedAtMs: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime * 1_000 : null,
    hasSecondFactor: Array.isArray(amr) && amr.some((method) => STRONG_METHODS.includes(method as string)),
  };
}

/** Some providers write the claim as text. Entra has a claim of its own, which says that the tenant owns the domain. */
function isVerified({ email_verified: verified, xms_edov: entra }: Claims, issuer: string): boolean {
  if (verified === true || verified === 'true') return true;
  const isEntra = URL.parse(issuer)?.hostname === ENTRA_HOST;
  return (
    verified === undefined && isEntra && (entra === true || entra === 1 || entra === '1' || entra === 'true')
  );
}
