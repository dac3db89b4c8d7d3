/** The file is not what its source publishes. What was loaded before stays. */
export class RefusedContent extends Error {}
