/** Thrown when the person closed the browser's passkey dialog or has no passkey for this site. */
export class PasskeyNotShown extends Error {}
