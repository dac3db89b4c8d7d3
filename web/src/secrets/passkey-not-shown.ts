/** The person closed the question of the browser, or has no passkey of this site. */
export class PasskeyNotShown extends Error {}
