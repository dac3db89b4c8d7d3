/** A reason why nothing was started: printed as a sentence that says what to do, without a stack trace. */
export class StartError extends Error {}
