const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;

/** Text on one line: no control characters and no line breaks. Written in ranges, which readers of OpenAPI compile everywhere. */
export const ONE_LINE = new RegExp(`^[^${CONTROL}]*$`);
