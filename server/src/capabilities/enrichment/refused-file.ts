/** A file that cannot be used; the message is one sentence for the operator. The data loaded before stays. */
export class RefusedFile extends Error {}
