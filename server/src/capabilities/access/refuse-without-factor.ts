import { ServiceError } from '#platform/errors.ts';

/** The refusal of a session without a second factor where its organization demands one. */
export const refuseWithoutFactor = (): ServiceError =>
  new ServiceError(
    'Forbidden',
    'This organization demands a second factor, and this session has shown none. Show one (POST /api/auth/confirm) or sign in with it. If you have none: sign in with your password and add a passkey (POST /api/auth/passkeys/options) or an authenticator app (POST /api/auth/totp).',
    { body: { factorRequired: true } },
  );
