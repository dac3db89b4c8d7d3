/** How a credential is sent (contract 5), worded once for errors, the description and the reference page. */
export const KEY_HEADER = 'X-API-KEY: base64(apiKey:apiSecret)';
export const BASIC_PAIR = 'apiKey as the user, apiSecret as the password';
export const NOT_BEARER = 'API keys are not Bearer tokens.';

const HEADER_WAY = `an X-API-KEY header (${KEY_HEADER})`;
const BASIC_WAY = `HTTP Basic credentials (${BASIC_PAIR})`;

/** How to send the credential of a route that a session cannot call. */
export const KEY_WAYS = `${HEADER_WAY} or ${BASIC_WAY}`;
export const CREDENTIAL_WAYS = `${HEADER_WAY}, ${BASIC_WAY} or a session cookie`;
