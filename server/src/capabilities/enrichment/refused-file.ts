/** A file that cannot be used: one sentence for whoever brought it. What was loaded before stays. */
export class RefusedFile extends Error {}
