export { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN, readPassword, spellPassword } from './password.ts';
export { acceptedStep, describeTotp, TOTP_SECRET_BYTES, totpCode, totpStep } from './totp.ts';
