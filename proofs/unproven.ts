/** Promises of ARCHITECTURE.md that have no proof yet, each with what is missing. */
export const UNPROVEN: Readonly<Record<string, string>> = {
  '5.3': 'contract tests assert the caching headers; there is no form at full size',
};
